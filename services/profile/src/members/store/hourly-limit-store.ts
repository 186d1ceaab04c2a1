import { tooManyRequests } from '@covalence/contract/failure';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts what may happen so often in an hour for one key: a member's number, or an address as `addressKey` gives it. */
export interface HourlyLimitStore {
  /** Counts one, or several; throws 429 with Retry-After, and counts nothing, when the hour has not so many left. */
  count(key: number | string, points?: number): Promise<void>;
  /** Takes back one that was counted, or several. */
  giveBack(key: number | string, points?: number): Promise<void>;
  /** Forgets what was counted of a key. */
  forget(key: number | string): Promise<void>;
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
    async count(key, points = 1) {
      try {
        await limiter.consume(key, points);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        await limiter.reward(key, points);
        throw tooManyRequests(refusal.msBeforeNext / 1000);
      }
    },
    async giveBack(key, points = 1) {
      await limiter.reward(key, points);
    },
    async forget(key) {
      await limiter.delete(key);
    },
  };
}
