import { tooManyRequests, type Failure } from '@covalence/contract/failure';
import { localTime, nextLocalTime } from '@covalence/contract/local-time';
import { textOf } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';
import type { DailyQuotaStore, Use } from './daily-quota-store.ts';
import type { PairsContext } from './pairs.ts';
import { siteOf } from '../members/members.ts';

const timezoneOf = (member: Member): string => textOf(member, 'timezone') || 'UTC';

/** The date where the member lives, YYYY-MM-DD. */
export const localDayOf = (member: Member, now: Date): string => localTime(now, timezoneOf(member)).day;

/** 429 until the member's midnight, when daily limits reset. */
export function tooManyToday(member: Member, now: Date): Failure {
  const midnight = nextLocalTime(now, '00:00', timezoneOf(member));
  return tooManyRequests((midnight.getTime() - now.getTime()) / 1000);
}

interface DailyLimit {
  readonly quota: DailyQuotaStore;
  readonly member: Member;
  readonly now: Date;
  readonly limit: number | undefined;
  /** The error beyond the limit; by default 429 with Retry-After. */
  readonly refusal?: Failure;
}

/** Runs work within a daily limit. Counts it before it runs, and takes the count back where it fails or resolves with false. */
export async function withinDailyLimit(
  { quota, member, now, limit, refusal }: DailyLimit,
  work: () => Promise<boolean>,
): Promise<void> {
  if (limit === undefined) return void (await work());
  const taken = await quota.take(member._id, localDayOf(member, now), limit);
  if (taken === undefined) throw refusal ?? tooManyToday(member, now);
  let counted = false;
  try {
    counted = await work();
  } finally {
    if (!counted) await quota.giveBack(member._id, taken);
  }
}

/** Counts a use of a daily limit of the member's site, if it has one. Throws 429 beyond it. A call that fails later keeps it. */
export async function countToday(
  context: PairsContext,
  member: Member,
  what: 'views' | 'results',
  use: Use,
): Promise<void> {
  const limit = siteOf(context, member.siteid)[`${what}_per_day`];
  if (limit === undefined) return;
  const now = context.clock();
  const counted = await context.pairs.quotas[what].take(member._id, localDayOf(member, now), limit, use);
  if (counted === undefined) throw tooManyToday(member, now);
}
