import type { MembersContext } from '../members.ts';
import { membershipPatch } from '../membership.ts';
import type { MemberPatch } from '../store/member-store.ts';
import type { Member } from '../document/member.ts';
import type { CheckedFields } from '../checks/check-fields.ts';

/** Returns the patch that copies a membership to the member. */
export type TakeOver = (member: Member) => MemberPatch | undefined;

/**
 * Forwards `auto_renew` to billing before the member is written. Resolves with the patch that copies the new
 * membership. Throws 503 while billing is down. Safe to repeat; does nothing without a membership.
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
