import { tooManyRequests, type Failure } from '@covalence/contract/failure';
import { textOf } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';
import type { DailyQuotaStore } from './daily-quota-store.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters by time zone: creating one costs more than using it. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const made =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  formatters.set(timeZone, made);
  return made;
}

/** The date where the member lives, YYYY-MM-DD, and the seconds until their midnight, when daily limits reset. */
export function dayOf(member: Member, now: Date): { day: string; secondsLeft: number } {
  const parts = formatterOf(textOf(member, 'timezone') || 'UTC').formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  const seconds = Number(part('hour')) * 3_600 + Number(part('minute')) * 60 + Number(part('second'));
  return { day: `${part('year')}-${part('month')}-${part('day')}`, secondsLeft: 86_400 - seconds };
}

/** A limit of a member's day. */
export interface DailyLimit {
  readonly quota: DailyQuotaStore;
  readonly member: Member;
  readonly now: Date;
  /** How many are allowed; undefined sets no limit. */
  readonly limit: number | undefined;
  /** The error beyond the limit; by default 429 with Retry-After. */
  readonly refusal?: Failure;
}

/** Runs work within a daily limit. Counts it before it runs, and takes the count back where it fails or resolves with false. */
export async function withinDailyLimit(
  { quota, member, now, limit, refusal }: DailyLimit,
  work: () => Promise<boolean>,
): Promise<void> {
  if (limit === undefined) {
    await work();
    return;
  }
  const { day, secondsLeft } = dayOf(member, now);
  if (!(await quota.take(member._id, day, limit))) throw refusal ?? tooManyRequests(secondsLeft);
  let counted = false;
  try {
    counted = await work();
  } finally {
    if (!counted) await quota.giveBack(member._id, day);
  }
}
