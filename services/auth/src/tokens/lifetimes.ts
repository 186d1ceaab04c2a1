import { accessTokenSeconds } from '@covalence/contract/redis-keys';

const day = 24 * 60 * 60;

/** Seconds that each thing lives. */
export const lifetimes = {
  accessToken: accessTokenSeconds,
  code: 10,
  /** 14 days of grace after the access token that was issued with it; every rotation begins anew. */
  refreshToken: 14 * day + accessTokenSeconds,
  /** Time to fill in the login form. */
  interaction: 30 * 60,
  /** A browser's session at the hosted pages. */
  session: 14 * day,
  /** Grants end with their last refresh token; the store moves their end along. */
  grant: 3_650 * day,
} as const;

/** A family outlives its newest refresh token by up to this many ms, so that it is written once a day and not with every rotation. */
export const grantReserveMs = day * 1000;

/** Seconds that a sign-in whose last answer may have been lost on the way can be gone on with, as with a lost refresh. */
export const answeredSeconds = 120;

/** Seconds that a used code is remembered beyond its life, so that a replay is known as one. */
export const codeMemorySeconds = 600;
