import { deactivated, unauthorized, emailNotConfirmed } from '@covalence/contract/failure';
import { endpoint, type AnyEndpoint, type Caller, type Definition } from '@covalence/http/endpoint';
import type { Member } from './document/member.ts';
import { endedSecond } from './flag-admission.ts';
import { findTwo, type MembersContext, siteOf } from './members.ts';

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

/** The member that an access token names, if they are the one who was read. Throws 401 otherwise, and what `checkActive` throws. */
export function checkCaller(member: Member | undefined, caller: Caller): Member {
  if (!isCaller(member, caller)) throw unauthorized('invalid_token');
  checkActive(member, caller);
  return member;
}

/** The member that an access token names, as stored now. */
export async function activeMember({ members }: MembersContext, caller: Caller): Promise<Member> {
  return checkCaller(await members.store.byId(caller.id), caller);
}

type MemberDefinition<Context, Input, Output> = Definition<Context, Input, Output, 'member'>;

type MemberCall<Context, Input, Output> = Parameters<
  MemberDefinition<Context, Input, Output>['handler']
>[0] & {
  /** The member who calls, as stored when the call began. */
  readonly member: Member;
};

type WithHandler<Context, Input, Output, Call> = Omit<
  MemberDefinition<Context, Input, Output>,
  'access' | 'handler'
> & { readonly handler: (call: Call, context: Context) => Promise<Output> };

/** An endpoint for members whose handler receives the active member who calls. */
export function memberEndpoint<Context extends MembersContext, Input, Output>({
  handler,
  ...definition
}: WithHandler<Context, Input, Output, MemberCall<Context, Input, Output>>): AnyEndpoint<Context> {
  return endpoint<Context, Input, Output, 'member'>({
    ...definition,
    access: 'member',
    handler: async (call, context) =>
      handler({ ...call, member: await activeMember(context, call.caller) }, context),
  });
}

/** The definition of an endpoint whose `profileid` names another member; `other` is undefined where it names none. */
export type TwoMembersDefinition<Context, Input, Output, Other = Member | undefined> = WithHandler<
  Context,
  Input,
  Output,
  MemberCall<Context, Input, Output> & { readonly other: Other }
>;

/** An endpoint for members whose handler receives the active member who calls, and the one that `profileid` names. */
export function twoMembersEndpoint<
  Context extends MembersContext,
  Input extends { readonly profileid?: unknown },
  Output,
>({ handler, ...definition }: TwoMembersDefinition<Context, Input, Output>): AnyEndpoint<Context> {
  return endpoint<Context, Input, Output, 'member'>({
    ...definition,
    access: 'member',
    handler: async (call, context) => {
      const [found, other] = await findTwo(context, call.caller.id, call.input.profileid);
      return handler({ ...call, member: checkCaller(found, call.caller), other }, context);
    },
  });
}

/** Throws 403 without code for a member without a confirmed email address, on `confirmed_only` sites. */
export async function checkConfirmed(context: MembersContext, { siteid, member_id }: Member): Promise<void> {
  if (!siteOf(context, siteid).confirmed_only) return;
  const { confirmed } = await context.auth.readEmail({ member_id });
  if (!confirmed) throw emailNotConfirmed();
}
