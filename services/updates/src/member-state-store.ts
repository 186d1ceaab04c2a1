import { redisKeys } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import type { Redis } from 'ioredis';

/** What other parts read and write about members in Redis, as far as sockets are concerned. */
export interface MemberStateStore {
  /** Those of the members whose deactivated flag is set. */
  deactivatedAmong(ids: readonly number[]): Promise<number[]>;
  /** Notes that a member was here now (D27). */
  markSeen(id: number): Promise<void>;
  /** Counts members as present for the next `presentMs` milliseconds (D27). */
  markPresent(ids: readonly number[]): Promise<void>;
}

const perCall = 1_000;

/** Creates the store on Redis. Presence is never taken back, it runs out: another process may hold a socket too. */
export function createMemberStateStore(options: {
  readonly redis: Redis;
  readonly namespace: string;
  readonly clock: Clock;
  readonly presentMs: number;
}): MemberStateStore {
  const { redis, namespace, clock, presentMs } = options;
  return {
    async deactivatedAmong(ids) {
      // One call per key and not one for all: in a cluster they live on different nodes.
      const flags = await Promise.all(ids.map((id) => redis.exists(redisKeys.deactivated(namespace, id))));
      return ids.filter((_id, index) => flags[index] === 1);
    },
    async markSeen(id) {
      await redis.zadd(redisKeys.seen(namespace), 'GT', clock().getTime(), id);
    },
    async markPresent(ids) {
      const key = redisKeys.present(namespace);
      const now = clock().getTime();
      for (let at = 0; at < ids.length; at += perCall) {
        const pairs = ids.slice(at, at + perCall).flatMap((id) => [now + presentMs, id]);
        await redis.zadd(key, 'GT', ...pairs);
      }
      await redis.zremrangebyscore(key, '-inf', now);
    },
  };
}
