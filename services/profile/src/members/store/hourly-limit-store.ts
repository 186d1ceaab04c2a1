import { tooManyRequests } from '@covalence/contract/failure';
import type { RedisClient } from '@covalence/runtime/redis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Limits how often something may happen in an hour for one key: a member id, or a client address from `addressKey`. */
export type HourlyLimitStore = ReturnType<typeof createHourlyLimitStore>;

const hour = 3_600;

/** Creates a limit that every process shares. While Redis is down, each process counts for itself. */
export function createHourlyLimitStore(redis: RedisClient, namespace: string, what: string, perHour: number) {
  const rule = { keyPrefix: `${namespace}:profile:${what}`, points: perHour, duration: hour };
  const limiter = new RateLimiterRedis({
    ...rule,
    storeClient: redis,
    insuranceLimiter: new RateLimiterMemory(rule),
  });
  return {
    /** Counts one or several uses. Throws 429 with Retry-After, and counts nothing, beyond the limit. */
    async count(key: number | string, points = 1) {
      try {
        await limiter.consume(key, points);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        await limiter.reward(key, points);
        throw tooManyRequests(refusal.msBeforeNext / 1000);
      }
    },
    async giveBack(key: number | string, points = 1) {
      await limiter.reward(key, points);
    },
    async forget(key: number | string) {
      await limiter.delete(key);
    },
  };
}
