import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/**
 * Failures are counted per account, per address and per known browser; mails that help into an account per account, and per
 * address that asks for them.
 */
export type AttemptKind = 'account' | 'address' | 'device' | 'mailAccount' | 'mailAddress';

/** What counts something: of which kind, and of whom. */
export interface Counter {
  readonly kind: AttemptKind;
  readonly key: string;
}

/** Counts what must not happen often. */
export interface AttemptsStore {
  /** Seconds until another try is allowed by each of these; 0 when it is allowed now. */
  secondsToWait(counters: readonly Counter[]): Promise<number>;
  /** Counts a failure. */
  failed(kind: AttemptKind, key: string): Promise<void>;
  /** Counts a request before it is granted: 0 when it may go on, else the seconds to wait. */
  count(kind: AttemptKind, key: string): Promise<number>;
  /** Forgets what was counted. */
  forgive(kind: AttemptKind, key: string): Promise<void>;
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
    mailAccount: limiterOf('mailAccount'),
    mailAddress: limiterOf('mailAddress'),
  };
  const secondsOf = async ({ kind, key }: Counter): Promise<number> => {
    const state = await limiters[kind].get(key);
    return state === null ? 0 : Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  };
  return {
    async secondsToWait(counters) {
      const counts = await redis.mget(counters.map(({ kind, key }) => limiters[kind].getKey(key)));
      // Nearly nobody has used one up, so that nearly nobody's time is asked for.
      const usedUp = counters.filter(
        ({ kind }, index) => Number(counts[index] ?? -1) >= limits.allowed[kind],
      );
      return Math.max(0, ...(await Promise.all(usedUp.map(secondsOf))));
    },
    async count(kind, key) {
      const { consumedPoints, msBeforeNext } = await limiters[kind].penalty(key, 1);
      return consumedPoints > limits.allowed[kind] ? Math.max(1, Math.ceil(msBeforeNext / 1000)) : 0;
    },
    async forgive(kind, key) {
      await limiters[kind].delete(key);
    },
    async failed(kind, key) {
      await limiters[kind].penalty(key, 1);
    },
  };
}
