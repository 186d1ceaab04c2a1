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

/** The admission flags, last activity and presence of members in Redis, which services share. */
export interface MemberStateStore {
  /** The admission of tokens, in the order of `tokens`. */
  admissionsOf(tokens: readonly IssuedToken[]): Promise<Admission[]>;
  /** Stores that a member was active now. */
  markSeen(id: number): Promise<void>;
  /** Counts members as present for the next `presentMs` milliseconds. */
  markPresent(ids: readonly number[]): Promise<void>;
}

/** The part of a token that admission needs; `issued` is a second since the epoch. */
export interface IssuedToken extends AdmittedToken {
  readonly issued: number;
}

const perCall = 1_000;

/** Creates the store on Redis. Presence only expires, because another process may have a socket of the member. */
export function createMemberStateStore(options: {
  readonly redis: Redis;
  readonly namespace: string;
  readonly clock: Clock;
  readonly presentMs: number;
}): MemberStateStore {
  const { redis, namespace, clock, presentMs } = options;
  return {
    // One call per key: in a cluster they are on different nodes.
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
