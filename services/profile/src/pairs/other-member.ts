import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { isPresent } from '@covalence/contract/parameters';
import type { AnyEndpoint } from '@covalence/http/endpoint';
import type { Member } from '../members/document/member.ts';
import { twoMembersEndpoint, type TwoMembersDefinition } from '../members/member-endpoint.ts';
import type { PairsContext } from './pairs.ts';

/** The member that a `profileid` named. Throws 403 without code where it is missing, 80001 for the viewer, 80013 where unknown. */
export function checkOther(viewer: Member, other: Member | undefined, profileid: unknown): Member {
  if (!isPresent(profileid)) throw invalidArgument();
  if (!other) throw invalidArgument(failCodes.receiverNotFound);
  if (other._id === viewer._id) throw invalidArgument(failCodes.receiverIsSender);
  return other;
}

/** An endpoint for members whose handler receives the active member who calls, and the other one that `profileid` names. */
export function otherMemberEndpoint<
  Context extends PairsContext,
  Input extends { readonly profileid?: unknown },
  Output,
>({ handler, ...definition }: TwoMembersDefinition<Context, Input, Output, Member>): AnyEndpoint<Context> {
  return twoMembersEndpoint({
    codes: [failCodes.receiverIsSender, failCodes.receiverNotFound],
    ...definition,
    handler: (call, context) => {
      const { member, input } = call;
      return handler({ ...call, other: checkOther(member, call.other, input.profileid) }, context);
    },
  });
}
