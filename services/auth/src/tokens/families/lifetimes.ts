import { accessTokenSeconds } from '@covalence/contract/redis-keys';

const day = 24 * 60 * 60;

/** Lifetimes in seconds. */
export const lifetimes = {
  accessToken: accessTokenSeconds,
  code: 10,
  /** 14 days beyond the access token issued with it; every rotation starts anew. */
  refreshToken: 14 * day + accessTokenSeconds,
  /** Time to fill in the login form. */
  interaction: 30 * 60,
  /** A browser's session at the hosted pages. */
  session: 14 * day,
  /** Grants expire with their last refresh token: the store extends them. */
  grant: 3_650 * day,
} as const;

/** Lifetimes for staff, in seconds: a sign-in ends after this time in all, and when it was idle for so long. */
export const staffLifetimes = {
  signIn: 12 * 60 * 60,
  idle: 30 * 60,
  /** Shorter than the idle time, so that an app in use refreshes in time. */
  accessToken: 10 * 60,
} as const;

/** A family outlives its last refresh token by up to this time, so that its expiry is written once a day. */
export const familyReserveMs = day * 1000;

/** Seconds in which a sign-in can be resumed after its last response was lost. */
export const resumeSeconds = 120;

/** Seconds for which a used code stays stored beyond its lifetime, so that a replay is recognized. */
export const codeMemorySeconds = 600;
