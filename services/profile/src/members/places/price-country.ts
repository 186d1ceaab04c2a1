import { textOf } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';

/** How long after a move the prices stay those of the country before, ms: nobody moves for a lower price. */
const settledMs = 30 * 86_400_000;

/** The country whose prices a member pays. */
export function priceCountry(member: Member, now: Date): string {
  const { moved } = member;
  const isRecent = moved !== undefined && now.getTime() < moved.at.getTime() + settledMs;
  return isRecent ? moved.from : textOf(member, 'country');
}

/** What is kept of an edit that moves a member to another country; back in the country of the prices, nothing. */
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
