import type { MembersContext } from '../members.ts';
import { membershipPatch } from '../membership.ts';
import type { MemberPatch } from '../store/member-store.ts';
import type { Member } from '../document/member.ts';
import type { CheckedFields } from '../checks/check-fields.ts';

/** What the membership of a member becomes in the member's document. */
export type TakeOver = (member: Member) => MemberPatch | undefined;

/**
 * Forwards `auto_renew` to billing, before the member is written, and answers how the document follows, so that the record
 * is right with the answer. Throws 503 where billing is away; safe to repeat. Without a membership it changes nothing.
 */
export async function forwardRenewal(
  { billing }: Pick<MembersContext, 'billing'>,
  { _id: member }: Member,
  { values }: CheckedFields,
): Promise<TakeOver> {
  const autorenew = values['auto_renew'];
  if (typeof autorenew !== 'boolean') return () => undefined;
  const { membership } = await billing.switchRenewal({ member, autorenew });
  return (current) => (membership ? membershipPatch(current, membership, membership.version) : undefined);
}
