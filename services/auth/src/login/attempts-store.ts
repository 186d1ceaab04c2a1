import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/** Failures are counted per account, per address and per known browser (D43). */
export type AttemptKind = 'account' | 'address' | 'device';

/** Counts failed sign-ins. */
export interface AttemptsStore {
  /** Seconds until another try is allowed; 0 when it is allowed now. */
  secondsToWait(kind: AttemptKind, key: string): Promise<number>;
  /** Counts a failure. */
  failed(kind: AttemptKind, key: string): Promise<void>;
}

/** How many failures within the window are allowed. */
export interface AttemptLimits {
  readonly windowSeconds: number;
  readonly allowed: Readonly<Record<AttemptKind, number>>;
}

/** Creates the counters in Redis, shared by every process. */
export function createAttemptsStore(redis: Redis, namespace: string, limits: AttemptLimits): AttemptsStore {
  const limiterOf = (kind: AttemptKind) =>
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `${namespace}:auth:failures:${kind}`,
      points: limits.allowed[kind],
      duration: limits.windowSeconds,
    });
  const limiters = {
    account: limiterOf('account'),
    address: limiterOf('address'),
    device: limiterOf('device'),
  };
  return {
    async secondsToWait(kind, key) {
      const state = await limiters[kind].get(key);
      const isUsedUp = state !== null && state.consumedPoints >= limits.allowed[kind];
      return isUsedUp ? Math.max(1, Math.ceil(state.msBeforeNext / 1000)) : 0;
    },
    async failed(kind, key) {
      await limiters[kind].penalty(key, 1);
    },
  };
}
