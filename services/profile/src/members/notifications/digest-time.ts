import { nextLocalTime } from '@covalence/contract/local-time';
import type { DigestPeriod } from '@covalence/contract/notification-kinds';
import { quietUntil } from '@covalence/contract/quiet-hours';
import { hourMs, dayMs } from '@covalence/contract/time';
import type { Member } from '../document/member.ts';
import { textOf } from '../document/member-values.ts';

/** Digests come after work, spread over an hour. */
const digestHour = 18;
const spreadMinutes = 60;

/** A period less half a day: a digest that was late does not delay the next one, and two never come within the same half. */
const leastMs: Readonly<Record<DigestPeriod, number>> = { daily: 12 * hourMs, weekly: 6.5 * dayMs };

/** When a member's next digest is due: at 18 o'clock and some minutes by the member's clock, or when quiet hours end. */
export function nextDigest(member: Member, period: DigestPeriod, now: Date): Date {
  const { quiet_hours: quiet } = member.notifications ?? {};
  const timezone = quiet?.timezone ?? (textOf(member, 'timezone') || 'UTC');
  const minute = String(member._id % spreadMinutes).padStart(2, '0');
  const earliest = now.getTime() + leastMs[period];
  const afterQuiet = (at: Date) => (quiet && quietUntil(quiet, at)) ?? at;
  // Quiet hours may move the one of the day before beyond the earliest time.
  let at = nextLocalTime(new Date(earliest - dayMs), `${digestHour}:${minute}`, timezone);
  while (afterQuiet(at).getTime() <= earliest) at = nextLocalTime(at, `${digestHour}:${minute}`, timezone);
  return afterQuiet(at);
}
