import { tooManyRequests } from '@covalence/contract/failure';
import type { RedisClient } from '@covalence/runtime/redis';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/** Counts a request under a key. Returns undefined while a local share is left, else a promise; rejects with 429 over the limit. */
export type Count = (key: string) => Promise<void> | undefined;

/** The request limits: by address, and by member UUID from any address. */
export type Limits = ReturnType<typeof createLimits>;

/** Requests of a key that this gateway may admit until the window ends. */
interface Share {
  left: number;
  /** The limit is exhausted: the key is refused until the window ends. */
  readonly isRefusal: boolean;
  /** End of the window by `performance.now()`, which is monotonic. */
  readonly until: number;
}

/**
 * A gateway takes 1/100 of a limit from Redis at a time and counts it locally. Asking Redis for each request took a fifth of the
 * gateway's processor time.
 */
const sharesOfLimit = 100;

/**
 * Pacing: a key may burst `atOnce` requests, then gets shares at most `haste` times as fast as its limit on average. A client that
 * sends its whole limit at once waits, and others do not.
 */
const atOnce = 200;
const haste = 4;

/** Keys with a local share; an evicted key takes a new share. */
const rememberedKeys = 100_000;

function createLimit(limiter: RateLimiterRedis, refusalMs: number): Count {
  const { points, msDuration } = limiter;
  const shareSize = Math.max(1, Math.floor(points / sharesOfLimit));
  // A first share above `atOnce` is due at once too, or the first request of each window would wait.
  const dueAtOnce = Math.max(atOnce, shareSize);
  const shares = new LRUCache<string, Share>({ max: rememberedKeys });
  const asked = new Map<string, Promise<Share | undefined>>();

  /** Milliseconds until a share is due; at most a quarter of the window. */
  const early = (taken: number, msBeforeNext: number): number => {
    const dueAt = (((taken - dueAtOnce) / points) * msDuration) / haste;
    return dueAt - (msDuration - msBeforeNext);
  };

  const take = async (key: string): Promise<Share | undefined> => {
    try {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, shareSize);
      const left = Math.max(0, Math.min(shareSize, points - consumedPoints + shareSize));
      const share = { left, isRefusal: left === 0, until: performance.now() + msBeforeNext };
      const pause = left ? early(consumedPoints, msBeforeNext) : 0;
      if (pause > 0) await wait(pause, undefined, { ref: false });
      shares.set(key, share);
      return share;
    } catch {
      return undefined;
    }
  };
  /** Takes one share for all waiting requests of a key. */
  const takeOnce = (key: string): Promise<Share | undefined> => {
    const asking = asked.get(key);
    if (asking) return asking;
    const taken = take(key).finally(() => asked.delete(key));
    asked.set(key, taken);
    return taken;
  };
  const held = (key: string): Share | undefined => {
    const share = shares.get(key);
    return share && share.until > performance.now() ? share : undefined;
  };

  const refuse = async ({ until }: Share): Promise<never> => {
    const seconds = (until - performance.now()) / 1000;
    await wait(refusalMs, undefined, { ref: false });
    throw tooManyRequests(seconds);
  };

  const countLater = async (key: string): Promise<void> => {
    let share = held(key);
    // Other waiting requests may have used up the share.
    while (!share?.left) {
      if (share?.isRefusal) await refuse(share);
      share = await takeOnce(key);
      // Admit the request if the limiter fails.
      if (!share) return;
    }
    share.left -= 1;
  };
  return (key) => {
    const share = held(key);
    if (!share?.left) return countLater(key);
    share.left -= 1;
    return undefined;
  };
}

/**
 * Creates limits that all gateways share through Redis, in shares. While Redis is down, each gateway counts for itself. A key over its
 * limit is refused from memory until its window ends, so that a flood does not reach Redis.
 */
export function createLimits(options: {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly windowSeconds: number;
  readonly perAddress: number;
  readonly perMember: number;
  /** Delay of a refusal, which slows down clients that retry at once. */
  readonly refusalMs: number;
}) {
  const { redis, namespace, windowSeconds, refusalMs } = options;
  const limit = (name: string, points: number) => {
    const rule = { keyPrefix: `${namespace}:limit:${name}`, points, duration: windowSeconds };
    const insuranceLimiter = new RateLimiterMemory(rule);
    return createLimit(new RateLimiterRedis({ ...rule, storeClient: redis, insuranceLimiter }), refusalMs);
  };
  return { address: limit('address', options.perAddress), member: limit('member', options.perMember) };
}
