import { deactivated, unauthorized } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { endedSecond } from './flag-admission.ts';
import type { Member } from './document/member.ts';

/** Whether the member is the one that a call's token names and is there still. */
export function isThere(member: Member | undefined, caller: Caller): member is Member {
  return member !== undefined && member.member_id === caller.memberId && !member.deleted;
}

/** Refuses a member who is suspended, or was after the token was issued, and 403 Deactivated. */
export function checkActive(
  { suspended, deactivated: inactive, tokens_ended_at: ended }: Member,
  { issued }: Caller,
): void {
  if (suspended || (ended !== undefined && issued < endedSecond(ended))) throw unauthorized('invalid_token');
  if (inactive) throw deactivated();
}

/**
 * The member behind a call, as the database has them now: 403 Deactivated while deactivated, and a token of
 * a member who is deleted or was suspended is no longer good.
 */
export async function activeCaller({ members }: Pick<Context, 'members'>, caller: Caller): Promise<Member> {
  const member = await members.byId(caller.id);
  if (!isThere(member, caller)) throw unauthorized('invalid_token');
  checkActive(member, caller);
  return member;
}
