import {
  admissionKeys,
  admissionOf,
  admissionPrefixes,
  type Admission,
  type AdmittedToken,
} from '@covalence/contract/admission-flag';
import { redisKeys } from '@covalence/contract/redis-keys';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { RedisClient } from '@covalence/runtime/redis';
import { LRUCache } from 'lru-cache';
import { createAdmissionFlagStore } from './admission-flag-store.ts';

/** Admission's view of tokens and members in Redis. Its calls never fail. */
export type MemberStateStore = ReturnType<typeof createMemberStateStore>;

const seenEveryMs = 30_000;
const flagsMs = 5_000;
const rememberedMembers = 100_000;

/** Creates the store on Redis. */
export function createMemberStateStore(options: {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly logger: Logger;
}) {
  const { redis, namespace, clock, logger } = options;
  const marked = new LRUCache<number, true>({ max: rememberedMembers, ttl: seenEveryMs });
  const flags = createAdmissionFlagStore({
    redis,
    name: `${namespace}-flags`,
    prefixes: admissionPrefixes(namespace),
    rememberedMs: flagsMs,
    logger,
  });
  const away = (error: unknown) => logger.debug({ err: error }, 'admission continues without redis');
  return {
    /** Whether a token issued at that second is valid: synchronously if its flags are cached; `unknown` while Redis is down. */
    admissionOf(token: AdmittedToken, issued: number): Admission | Promise<Admission | 'unknown'> {
      const read = flags.read(admissionKeys(namespace, token));
      if (!(read instanceof Promise)) return admissionOf(read, issued);
      return read.then(
        (flags) => admissionOf(flags, issued),
        (error: unknown) => {
          away(error);
          return 'unknown';
        },
      );
    },
    /** Records in the background that the member was seen, at most every 30 s. */
    markSeen(id: number): void {
      if (marked.has(id)) return;
      marked.set(id, true);
      redis.zadd(redisKeys.seen(namespace), 'GT', clock().getTime(), id).catch((error: unknown) => {
        marked.delete(id);
        away(error);
      });
    },
    close: () => flags.close(),
  };
}
