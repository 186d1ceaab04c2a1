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

/** The decision by flags of which some may not be known. */
function decide(read: readonly (string | null | undefined)[], issued: number): Admission | 'unknown' {
  const found = read.filter((flag) => flag !== undefined);
  const admission = admissionOf(found, issued);
  return admission === 'good' && found.length < read.length ? 'unknown' : admission;
}

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
  return {
    /**
     * Whether a token issued at that second is valid: synchronously if its flags are cached; `unknown` while Redis is down, unless a
     * flag that can be read refuses.
     */
    admissionOf(
      token: AdmittedToken,
      issued: number,
    ): Admission | 'unknown' | Promise<Admission | 'unknown'> {
      const read = flags.read(admissionKeys(namespace, token));
      return read instanceof Promise ? read.then((all) => decide(all, issued)) : decide(read, issued);
    },
    /** Records in the background that the member was seen, at most every 30 s. */
    markSeen(id: number): void {
      if (marked.has(id)) return;
      marked.set(id, true);
      redis.zadd(redisKeys.seen(namespace), 'GT', clock().getTime(), id).catch((error: unknown) => {
        marked.delete(id);
        logger.debug({ err: error }, 'marking a member as seen failed');
      });
    },
    close: () => flags.close(),
  };
}
