import { Failure } from '@covalence/contract/failure';
import type { Peer } from '@covalence/http/peer';
import type { Account } from './account.ts';

/** State of a member or staff account; only `active` ones get tokens. */
export type MemberState = 'active' | 'deactivated' | 'suspended' | 'deleted';

/** Asks profile for the state of a member, which it finds at once by the number. */
export async function memberStateOf(
  member: { readonly member_id: string; readonly id: number },
  profile: Peer<'profile'>,
): Promise<MemberState> {
  try {
    const state = await profile.memberState(member);
    if (state.suspended) return 'suspended';
    return state.deactivated ? 'deactivated' : 'active';
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return 'deleted';
    throw error;
  }
}

/** State of an account: profile knows it for members, the account itself for staff. */
export async function accountStateOf(account: Account, profile: Peer<'profile'>): Promise<MemberState> {
  if (account.staff) return account.disabled ? 'suspended' : 'active';
  return memberStateOf({ member_id: account._id, id: account.id }, profile);
}
