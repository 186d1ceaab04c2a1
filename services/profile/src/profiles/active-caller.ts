import { deactivated, unauthorized } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { endedSecond } from '../members/flag-admission.ts';
import type { Member } from '../members/member.ts';

/** Whether the member is deleted or suspended, or was suspended after the token was issued (D29). */
const hasEnded = ({ deleted, suspended, tokens_ended_at: ended }: Member, { issued }: Caller): boolean =>
  deleted || suspended || (ended !== undefined && issued < endedSecond(ended));

/**
 * The member behind a call, as the database has them now: 403 Deactivated while deactivated (spec 3.2), and a token of
 * a member who is deleted or was suspended is no longer good (D29).
 */
export async function activeCaller({ members }: Pick<Context, 'members'>, caller: Caller): Promise<Member> {
  const member = await members.byId(caller.id);
  if (!member || member.member_id !== caller.memberId || hasEnded(member, caller)) {
    throw unauthorized('invalid_token');
  }
  if (member.deactivated) throw deactivated();
  return member;
}
