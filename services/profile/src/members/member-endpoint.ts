import { deactivated, unauthorized, emailNotConfirmed } from '@covalence/contract/failure';
import { endpoint, type AnyEndpoint, type Caller, type Definition } from '@covalence/http/endpoint';
import type { Member } from './document/member.ts';
import { endedSecond } from './flag-admission.ts';
import { type MembersContext, siteOf } from './members.ts';

/** Whether the member is the one that the access token names, and is not deleted. */
export function isCaller(member: Member | undefined, caller: Caller): member is Member {
  return member !== undefined && member.member_id === caller.memberId && !member.deleted;
}

/** Throws 401 for a member who is suspended, or was suspended after the token was issued; 403 Deactivated while deactivated. */
export function checkActive(member: Member, { issued }: Caller): void {
  const { suspended, tokens_ended_at: ended } = member;
  if (suspended || (ended !== undefined && issued < endedSecond(ended))) throw unauthorized('invalid_token');
  if (member.deactivated) throw deactivated();
}

/** The member that an access token names, as stored now. Throws 401 where there is none, and what `checkActive` throws. */
export async function activeMember({ members }: MembersContext, caller: Caller): Promise<Member> {
  const member = await members.store.byId(caller.id);
  if (!isCaller(member, caller)) throw unauthorized('invalid_token');
  checkActive(member, caller);
  return member;
}

type MemberDefinition<Context, Input, Output> = Definition<Context, Input, Output, 'member'>;

type MemberCall<Context, Input, Output> = Parameters<
  MemberDefinition<Context, Input, Output>['handler']
>[0] & {
  /** The member who calls, as stored when the call began. */
  readonly member: Member;
};

/** An endpoint for members whose handler receives the active member who calls. */
export function memberEndpoint<Context extends MembersContext, Input, Output>({
  handler,
  ...definition
}: Omit<MemberDefinition<Context, Input, Output>, 'access' | 'handler'> & {
  readonly handler: (call: MemberCall<Context, Input, Output>, context: Context) => Promise<Output>;
}): AnyEndpoint<Context> {
  return endpoint<Context, Input, Output, 'member'>({
    ...definition,
    access: 'member',
    handler: async (call, context) =>
      handler({ ...call, member: await activeMember(context, call.caller) }, context),
  });
}

/** Throws 403 without code for a member without a confirmed email address, on `confirmed_only` sites. */
export async function checkConfirmed(context: MembersContext, { siteid, member_id }: Member): Promise<void> {
  if (!siteOf(context, siteid).confirmed_only) return;
  const { confirmed } = await context.auth.readEmail({ member_id });
  if (!confirmed) throw emailNotConfirmed();
}
