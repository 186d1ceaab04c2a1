import {
  admissionKeys,
  admissionOf,
  type Admission,
  type AdmittedToken,
} from '@covalence/contract/admission-flag';
import { redisKeys } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import { chunks } from '@covalence/runtime/chunks';
import type { RedisClient } from '@covalence/runtime/redis';

/** The admission flags, last activity and presence of members in Redis, which services share. */
export type MemberStateStore = ReturnType<typeof createMemberStateStore>;

/** The part of a token that admission needs; `issued` is a second since the epoch. */
export interface IssuedToken extends AdmittedToken {
  readonly issued: number;
}

const perCall = 1_000;

/** Creates the store on Redis. Presence only expires, because another process may have a socket of the member. */
export function createMemberStateStore(options: {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly presentMs: number;
}) {
  const { redis, namespace, clock, presentMs } = options;
  return {
    /**
     * The admission of each token, in the order of `tokens`; rejects for those whose flags cannot be read. One call per key: in a
     * cluster they are on different nodes.
     */
    admissionsOf(tokens: readonly IssuedToken[]): Promise<Admission>[] {
      const flags = new Map<string, Promise<string | null>>();
      const flagAt = (key: string) => {
        const flag = flags.get(key) ?? redis.get(key);
        flags.set(key, flag);
        return flag;
      };
      return tokens.map(async (token) =>
        admissionOf(await Promise.all(admissionKeys(namespace, token).map(flagAt)), token.issued),
      );
    },
    /** Stores that a member was active now. */
    async markSeen(id: number): Promise<void> {
      await redis.zadd(redisKeys.seen(namespace), 'GT', clock().getTime(), id);
    },
    /** Counts members as present for the next `presentMs` milliseconds. */
    async markPresent(ids: readonly number[]): Promise<void> {
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
