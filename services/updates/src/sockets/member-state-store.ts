import {
  admissionKeys,
  admissionOf,
  type Admission,
  type AdmittedToken,
} from '@covalence/contract/admission-flag';
import { redisKeys } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import { chunks } from '@covalence/runtime/chunks';
import type { Redis } from 'ioredis';

/** What other parts read and write about members in Redis, as far as sockets are concerned. */
export interface MemberStateStore {
  /** What admission says of tokens, each issued at a second since the epoch, in the order asked for. */
  admissionsOf(tokens: readonly IssuedToken[]): Promise<Admission[]>;
  /** Notes that a member was here now. */
  markSeen(id: number): Promise<void>;
  /** Counts members as present for the next `presentMs` milliseconds. */
  markPresent(ids: readonly number[]): Promise<void>;
}

/** A token as far as admission is concerned. */
export interface IssuedToken extends AdmittedToken {
  readonly issued: number;
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
    // One call per key and not one for all: in a cluster they live on different nodes.
    async admissionsOf(tokens) {
      const keys = tokens.map((token) => admissionKeys(namespace, token));
      const asked = [...new Set(keys.flat())];
      const flags = await Promise.all(asked.map((key) => redis.get(key)));
      const found = new Map(asked.map((key, index) => [key, flags[index] ?? null]));
      return tokens.map(({ issued }, index) =>
        admissionOf(
          (keys[index] ?? []).map((key) => found.get(key) ?? null),
          issued,
        ),
      );
    },
    async markSeen(id) {
      await redis.zadd(redisKeys.seen(namespace), 'GT', clock().getTime(), id);
    },
    async markPresent(ids) {
      const key = redisKeys.present(namespace);
      const now = clock().getTime();
      for (const some of chunks(ids, perCall)) {
        const pairs = some.flatMap((id) => [now + presentMs, id]);
        await redis.zadd(key, 'GT', ...pairs);
      }
      await redis.zremrangebyscore(key, '-inf', now);
    },
  };
}
