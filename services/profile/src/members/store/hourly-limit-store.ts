import { tooManyRequests } from '@covalence/contract/failure';
import type { RedisClient } from '@covalence/runtime/redis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Limits how often something may happen in an hour for one key: a member id, or a client address from `addressKey`. */
export type HourlyLimitStore = ReturnType<typeof createHourlyLimitStore>;

const hour = 3_600;

/** Creates a limit that every process shares. While Redis is down, each process counts for itself. */
export function createHourlyLimitStore(redis: RedisClient, namespace: string, what: string, perHour: number) {
  const limiterOf = (name: string, points: number) => {
    const rule = { keyPrefix: `${namespace}:profile:${name}`, points, duration: hour };
    return new RateLimiterRedis({
      ...rule,
      storeClient: redis,
      insuranceLimiter: new RateLimiterMemory(rule),
    });
  };
  const limiter = limiterOf(what, perHour);
  const counted = limiterOf(`${what}-counted`, 1);
  /** Counts one or several uses. Throws 429 with Retry-After, and counts nothing, beyond the limit. */
  const count = async (key: number | string, points = 1) => {
    try {
      await limiter.consume(key, points);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      await limiter.reward(key, points);
      throw tooManyRequests(refusal.msBeforeNext / 1000);
    }
  };
  return {
    count,
    /** The same for a use of something that counts once in an hour. */
    async countOnce(key: number | string, used: number | string) {
      const use = `${key}:${used}`;
      // Before the limit, so that parallel first uses count once.
      const isFirst = await counted.consume(use).then(
        () => true,
        (refusal: unknown) => {
          if (refusal instanceof RateLimiterRes) return false;
          throw refusal;
        },
      );
      if (!isFirst) return;
      try {
        await count(key);
      } catch (error) {
        await counted.delete(use);
        throw error;
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
