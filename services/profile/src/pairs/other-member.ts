import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { isGiven } from '@covalence/contract/parameters';
import type { PairsContext } from './pairs.ts';
import type { Member } from '../members/document/member.ts';
import { findMember } from '../members/find-member.ts';

/**
 * The member that a `profileid` names. Throws 403 without code where it is missing, 80001 for the viewer, 80013 for
 * an unknown member.
 */
export async function otherMember(
  context: PairsContext,
  viewer: Member,
  profileid: unknown,
): Promise<Member> {
  if (!isGiven(profileid)) throw invalidArgument();
  const other = await findMember(context, profileid);
  if (!other) throw invalidArgument(failCodes.receiverNotFound);
  if (other._id === viewer._id) throw invalidArgument(failCodes.receiverIsSender);
  return other;
}
