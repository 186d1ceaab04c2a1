import { memberState } from '@covalence/contract/internal/profile-api';
import { Failure } from '@covalence/contract/failure';
import { standingSeconds } from '@covalence/contract/redis-keys';
import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import type { Account } from '../accounts/account.ts';
import type { AdmissionStore } from './families/admission-store.ts';
import type { Family } from './families/family-store.ts';

/** Whether a member may use the API. */
export type Standing = 'good' | 'deactivated' | 'suspended' | 'gone';

async function standingOfMember(memberId: string, profile: Peer): Promise<Standing> {
  try {
    const state = await profile.call('/internal/members/state', { member_id: memberId }, memberState.output);
    if (state.suspended) return 'suspended';
    return state.deactivated ? 'deactivated' : 'good';
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return 'gone';
    throw error;
  }
}

/** Asks profile, which owns the truth, how an account stands; staff accounts are no members, theirs is kept here. */
export async function standingOf(account: Account, profile: Peer): Promise<Standing> {
  if (account.staff) return account.disabled ? 'suspended' : 'good';
  return standingOfMember(account._id, profile);
}

/** What the standing before a refresh is found by. */
export interface StandingContext {
  readonly admission: AdmissionStore;
  readonly profile: Peer;
  readonly now: Clock;
}

/**
 * Until when the account behind a family is known to be in good standing, or undefined where it is not. Profile sets a flag
 * in Redis for everyone who loses it, and keeps it there for longer than `standingSeconds`: who was good within that time,
 * and has no flag, is good. Profile itself is asked about everyone else, and where Redis may have lost flags. Families of
 * staff accounts are ended with the account.
 */
export async function goodUntil(
  family: Family,
  { admission, profile, now }: StandingContext,
): Promise<Date | undefined> {
  const { account_id, subject, checked_at: checked } = family;
  const at = now();
  if (subject?.staff) return at;
  const isRecent = checked !== undefined && at.getTime() - checked.getTime() < standingSeconds * 1000;
  const flags =
    subject && isRecent ? await admission.standingOf(subject.id).catch(() => 'unknown') : 'unknown';
  if (flags === 'barred') return undefined;
  if (flags === 'good') return at;
  return (await standingOfMember(account_id, profile)) === 'good' ? at : undefined;
}
