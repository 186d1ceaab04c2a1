import { tooManyRequests } from '@covalence/contract/failure';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/** Counts a request under a key: at once, and no promise, while there is a share of its limit; over it rejects with 429 and Retry-After. */
export type Count = (key: string) => Promise<void> | undefined;

/** Counts requests. */
export interface Limits {
  /** Of an address. */
  readonly address: Count;
  /** Of a member by UUID, whatever address they come from. */
  readonly member: Count;
}

/** How much is allowed within a window. */
export interface LimitOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly windowSeconds: number;
  readonly perAddress: number;
  readonly perMember: number;
  /** How long a refusal waits, so that who asks again at once is held up, and not everybody else. */
  readonly refusalMs: number;
}

/** What one gateway may let in of a key until the window ends. */
interface Share {
  left: number;
  /** Nothing was left to be shared: the key is refused until the window ends. */
  readonly isRefusal: boolean;
  /** The window's end by `performance.now()`: a clock that is set back would refuse the key for as long as that. */
  readonly until: number;
}

/** A gateway takes a hundredth of a limit at once and counts that on its own. */
const sharesOfLimit = 100;

/**
 * So many requests of a key may come at once; after them it gets its shares no faster than four times as fast as its limit
 * is on average. Whoever asks for all of it in its first moment waits a little with the rest, and not everybody else with
 * them.
 */
const atOnce = 200;
const haste = 4;

/** Keys whose shares are kept; one that was forgotten takes another. */
const rememberedKeys = 100_000;

function createLimit(limiter: RateLimiterRedis, refusalMs: number): Count {
  const { points, msDuration } = limiter;
  const portion = Math.max(1, Math.floor(points / sharesOfLimit));
  // A first share that is larger is due at once too, or the first request of each window would wait.
  const dueAtOnce = Math.max(atOnce, portion);
  const shares = new LRUCache<string, Share>({ max: rememberedKeys });
  const asked = new Map<string, Promise<Share | undefined>>();

  /** Milliseconds until it is time for what was taken; never beyond a quarter of the window. */
  const early = (taken: number, msBeforeNext: number): number => {
    const dueAt = (((taken - dueAtOnce) / points) * msDuration) / haste;
    return dueAt - (msDuration - msBeforeNext);
  };

  const take = async (key: string): Promise<Share | undefined> => {
    try {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key, portion);
      const left = Math.max(0, Math.min(portion, points - consumedPoints + portion));
      const share = { left, isRefusal: left === 0, until: performance.now() + msBeforeNext };
      const pause = left ? early(consumedPoints, msBeforeNext) : 0;
      if (pause > 0) await wait(pause, undefined, { ref: false });
      shares.set(key, share);
      return share;
    } catch {
      return undefined;
    }
  };
  /** For all who wait for the same key, or each of them would take a share. */
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
    // Those who waited together may have used a share up before this one got its turn.
    while (!share?.left) {
      if (share?.isRefusal) await refuse(share);
      share = await takeOnce(key);
      // The limiter's own trouble is no reason to turn a client away.
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
 * Limits shared by all gateways through Redis, each of which takes shares of them. While Redis is away each gateway
 * counts for itself; a key over its limit is refused from memory until its window ends, so that a flood costs Redis nothing.
 */
export function createLimits({ redis, namespace, windowSeconds, ...options }: LimitOptions): Limits {
  const limit = (name: string, points: number) => {
    const rule = { keyPrefix: `${namespace}:limit:${name}`, points, duration: windowSeconds };
    const insuranceLimiter = new RateLimiterMemory(rule);
    return createLimit(
      new RateLimiterRedis({ ...rule, storeClient: redis, insuranceLimiter }),
      options.refusalMs,
    );
  };
  return { address: limit('address', options.perAddress), member: limit('member', options.perMember) };
}
