import { tooManyRequests, type Failure } from '@covalence/contract/failure';
import { localTime, nextLocalTime } from '@covalence/contract/local-time';
import { textOf } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';
import type { DailyQuotaStore } from './daily-quota-store.ts';
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

/**
 * Counts a member whose profile or photos the viewer opens, once a day. Throws 429 beyond the limit of the viewer's
 * site. A call that fails later keeps the count, because the same member can be opened again.
 */
export async function countOpened(context: PairsContext, viewer: Member, opened: Member): Promise<void> {
  const limit = siteOf(context, viewer.siteid).views_per_day;
  if (limit === undefined) return;
  const now = context.clock();
  const isWithin = await context.pairs.quotas.views.takeOnce(
    viewer._id,
    localDayOf(viewer, now),
    limit,
    opened._id,
  );
  if (!isWithin) throw tooManyToday(viewer, now);
}
