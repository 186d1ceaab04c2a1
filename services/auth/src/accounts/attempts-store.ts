import type { RedisClient } from '@covalence/runtime/redis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

/**
 * Failed passwords by account, address and known browser; failed passkeys; wrong codes of an app in the long run; wrong recovery
 * codes; sign-in methods that an account adds, each with a notice; mails by account and requesting address.
 */
const kinds = [
  'account',
  'address',
  'device',
  'passkey',
  'appCode',
  'recoveryCode',
  'addedWayIn',
  'mailAccount',
  'mailAddress',
] as const;

/** The kind of counted attempt. */
export type AttemptKind = (typeof kinds)[number];

/**
 * Wrong codes of an app count for 30 days, because somebody who knows the password would go on guessing for ever: 100 attempts at one
 * of three codes succeed once in 3,300 times.
 */
const appCodeSeconds = 30 * 24 * 60 * 60;

/** Purposes of mails. Each has its own limit, so that one that is used up does not block the others. */
export const mailPurposes = ['password', 'support', 'device', 'identity', 'sign-in'] as const;

/** A purpose of mails. */
export type MailPurpose = (typeof mailPurposes)[number];

/** Key of the counter of an account's mails. */
export const mailKey = (purpose: MailPurpose, memberId: string): string => `${purpose}:${memberId}`;

/** One counter. */
export interface Counter {
  readonly kind: AttemptKind;
  readonly key: string;
}

/** Attempts allowed within the window. */
export interface AttemptLimits {
  readonly windowSeconds: number;
  readonly allowed: Readonly<Record<AttemptKind, number>>;
}

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** Creates the store; keys carry the namespace. */
export function createAttemptsStore(redis: RedisClient, namespace: string, limits: AttemptLimits) {
  const limiterOf = (kind: AttemptKind) =>
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `${namespace}:auth:failures:${kind}`,
      points: limits.allowed[kind],
      duration: kind === 'appCode' ? appCodeSeconds : limits.windowSeconds,
    });
  const limiters = Object.fromEntries(kinds.map((kind) => [kind, limiterOf(kind)])) as Record<
    AttemptKind,
    RateLimiterRedis
  >;
  const waitOf = async ({ kind, key }: Counter): Promise<number> => {
    const state = await limiters[kind].get(key);
    return state === null ? 0 : secondsOf(state.msBeforeNext);
  };
  return {
    /** Seconds until all of these counters allow an attempt; 0 when they do now. */
    async secondsToWait(counters: readonly Counter[]): Promise<number> {
      const counts = await Promise.all(
        counters.map(({ kind, key }) => redis.get(limiters[kind].getKey(key))),
      );
      const exceeded = counters.filter(
        ({ kind }, index) => Number(counts[index] ?? -1) >= limits.allowed[kind],
      );
      return Math.max(0, ...(await Promise.all(exceeded.map(waitOf))));
    },
    /** Counts a request: 0 when it is allowed, else the seconds to wait. */
    async count(kind: AttemptKind, key: string): Promise<number> {
      const { consumedPoints, msBeforeNext } = await limiters[kind].penalty(key, 1);
      return consumedPoints > limits.allowed[kind] ? secondsOf(msBeforeNext) : 0;
    },
    /** Takes back what `count` has counted, because the attempt was right. Earlier failures still count. */
    async uncount(kind: AttemptKind, key: string) {
      await limiters[kind].reward(key, 1);
    },
    /** Counts a failure. */
    async fail(kind: AttemptKind, key: string) {
      await limiters[kind].penalty(key, 1);
    },
    async reset(kind: AttemptKind, key: string) {
      await limiters[kind].delete(key);
    },
  };
}

/** Rate limits in Redis, shared by all processes. */
export type AttemptsStore = ReturnType<typeof createAttemptsStore>;
