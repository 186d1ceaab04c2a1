import { tooManyRequests } from '@covalence/contract/failure';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts what members ask for and may have so often in an hour. */
export interface HourlyLimitStore {
  /** Counts one; throws 429 with Retry-After when the hour's are used up. */
  count(member: number): Promise<void>;
  /** Forgets what was counted of a member. */
  forget(member: number): Promise<void>;
}

const hour = 3_600;

/**
 * Creates the limit of `what`, shared by every process; while Redis is away each process counts for itself.
 */
export function createHourlyLimitStore(
  redis: Redis,
  namespace: string,
  what: string,
  perHour: number,
): HourlyLimitStore {
  const rule = { keyPrefix: `${namespace}:profile:${what}`, points: perHour, duration: hour };
  const limiter = new RateLimiterRedis({
    ...rule,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(rule),
  });
  return {
    async count(member) {
      try {
        await limiter.consume(member);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext / 1000);
        throw refusal;
      }
    },
    async forget(member) {
      await limiter.delete(member);
    },
  };
}
