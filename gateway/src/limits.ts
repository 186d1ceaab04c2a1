import { tooManyRequests } from '@covalence/contract/failure';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Counts requests; a count over its limit throws 429 with Retry-After (D2). */
export interface Limits {
  /** Counts one request of an address. */
  address(key: string): Promise<void>;
  /** Counts one request of a member, whatever address it comes from. */
  member(memberId: string): Promise<void>;
}

/** How much is allowed within a window. */
export interface LimitOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly windowSeconds: number;
  readonly perAddress: number;
  readonly perMember: number;
}

async function consume(limiter: RateLimiterRedis, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    // Anything else is the limiter's own trouble, which is no reason to turn a client away.
    if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext / 1000);
  }
}

/**
 * Limits shared by all gateways through Redis. While Redis is away each gateway counts for itself; a key over its
 * limit is refused from memory until its window ends, so that a flood costs Redis nothing.
 */
export function createLimits({ redis, namespace, windowSeconds, ...options }: LimitOptions): Limits {
  const limiter = (name: string, points: number) => {
    const rule = { keyPrefix: `${namespace}:limit:${name}`, points, duration: windowSeconds };
    return new RateLimiterRedis({
      ...rule,
      storeClient: redis,
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new RateLimiterMemory(rule),
    });
  };
  const addresses = limiter('address', options.perAddress);
  const members = limiter('member', options.perMember);

  return {
    address: (key) => consume(addresses, key),
    member: (memberId) => consume(members, memberId),
  };
}
