import { tooManyRequests, type Failure } from '@covalence/contract/failure';
import { localTime, nextLocalTime } from '@covalence/contract/local-time';
import { textOf } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';
import type { DailyQuotaStore } from './daily-quota-store.ts';
import type { PairsContext } from './pairs.ts';
import { siteOf } from '../members/members.ts';

/** The date where the member lives, YYYY-MM-DD, and the seconds until their midnight, when daily limits reset. */
export function dayOf(member: Member, now: Date): { day: string; secondsLeft: number } {
  const timezone = textOf(member, 'timezone') || 'UTC';
  const midnight = nextLocalTime(now, '00:00', timezone);
  return {
    day: localTime(now, timezone).day,
    secondsLeft: Math.ceil((midnight.getTime() - now.getTime()) / 1000),
  };
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
  const { day, secondsLeft } = dayOf(member, now);
  const taken = await quota.take(member._id, day, limit);
  if (taken === undefined) throw refusal ?? tooManyRequests(secondsLeft);
  let counted = false;
  try {
    counted = await work();
  } finally {
    if (!counted) await quota.giveBack(member._id, taken);
  }
}

/**
 * Counts a member whose profile or photos the viewer opens, once a day. Throws 429 beyond the limit of the viewer's
 * site. A call that fails later keeps the count, because the same member can be opened again.
 */
export async function countOpened(context: PairsContext, viewer: Member, opened: Member): Promise<void> {
  const limit = siteOf(context, viewer.siteid).views_per_day;
  if (limit === undefined) return;
  const { day, secondsLeft } = dayOf(viewer, context.clock());
  const isWithin = await context.pairs.quotas.views.takeOnce(viewer._id, day, limit, opened._id);
  if (!isWithin) throw tooManyRequests(secondsLeft);
}
