import { tooManyRequests } from '@covalence/contract/failure';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts the exports that members ask for. */
export interface ExportLimitStore {
  /** Counts one; throws 429 with Retry-After when the hour's exports are used up. */
  count(member: number): Promise<void>;
  /** Forgets what was counted of a member. */
  forget(member: number): Promise<void>;
}

const hour = 3_600;

/** Creates the limit, shared by every process; while Redis is away each process counts for itself. */
export function createExportLimitStore(redis: Redis, namespace: string, perHour: number): ExportLimitStore {
  const rule = { keyPrefix: `${namespace}:profile:exports`, points: perHour, duration: hour };
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
