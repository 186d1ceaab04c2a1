import { dayMs } from '@covalence/contract/time';
import { textOf } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';

/** Time after a move during which the previous country's prices stay, ms, so that a move does not lower them. */
const settledMs = 30 * dayMs;

/** The country whose prices a member pays. */
export function priceCountry(member: Member, now: Date): string {
  const { moved } = member;
  const isRecent = moved !== undefined && now.getTime() < moved.at.getTime() + settledMs;
  return isRecent ? moved.from : textOf(member, 'country');
}

/** The recorded move after an edit of the country; none if the new country is the one of the prices. */
export function movedAfter(
  member: Member,
  fields: Member['fields'] | undefined,
  now: Date,
): Pick<Member, 'moved'> {
  const country = fields && textOf({ ...member, fields }, 'country');
  if (country === undefined || country === textOf(member, 'country')) return {};
  const from = priceCountry(member, now);
  return { moved: from && from !== country ? { from, at: now } : undefined };
}
