import { settleMember } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import type { Account, AccountStore, Claim } from './account-store.ts';
import { claimId, type ClaimKind } from './login-key.ts';

/** What claiming a name needs. */
export interface ClaimContext {
  readonly accounts: AccountStore;
  readonly profile: Peer;
  readonly now: Clock;
}

/** A registration or change under way is left alone this long before anyone asks whether it was abandoned. */
export const underWayMs = 10_000;

/** A name may be given up and taken by others while it is being claimed; this often is tried. */
const tries = 3;

/** The claims that an account needs as it stands. */
export function claimsOf(account: Account): string[] {
  const { siteid, username, email, pending_username } = account;
  const names: [ClaimKind, string | undefined][] = [
    ['username', username],
    ['username', pending_username],
    ['email', email],
  ];
  return names.flatMap(([kind, text]) => (text ? [claimId(siteid, kind, text)] : []));
}

/** Whether something that began at `date` may still be under way. */
export const isUnderWay = (date: Date, now: Clock): boolean => now().getTime() - date.getTime() < underWayMs;

/**
 * Finds out what became of a pending account by asking profile. A member that exists confirms it (true); otherwise
 * profile keeps a late insert from succeeding, and the account and its names are given up (false).
 */
export async function settle(account: Account, { accounts, profile, now }: ClaimContext): Promise<boolean> {
  const { exists } = await profile.call(
    '/internal/members/settle',
    { member_id: account._id },
    settleMember.output,
  );
  if (exists) {
    await accounts.activate(account._id, now());
    return true;
  }
  if (!(await accounts.giveUp(account._id, account.created_at, now()))) {
    // An import that is repeated reserved it again meanwhile, or somebody else has settled it.
    return (await accounts.find(account._id)) !== undefined;
  }
  // Names first: as long as the account is there, the reaper finishes what a crash leaves undone.
  await accounts.release(claimsOf(account), account._id);
  await accounts.removePending(account._id);
  return false;
}

/** Whether the holder of a name has no right to it any more: a registration that failed, a change that was not finished. */
async function isAbandoned(claim: Claim, context: ClaimContext): Promise<boolean> {
  if (isUnderWay(claim.at, context.now)) return false;
  const account = await context.accounts.find(claim.member_id);
  if (!account) return true;
  if (account.status === 'pending') {
    return !isUnderWay(account.created_at, context.now) && !(await settle(account, context));
  }
  return !claimsOf(account).includes(claim._id);
}

/** Claims a name for a member; false when another one has it. Safe to repeat. */
export async function takeClaim(id: string, memberId: string, context: ClaimContext): Promise<boolean> {
  for (let turn = 0; turn < tries; turn += 1) {
    const inTheWay = await context.accounts.claim(id, memberId, context.now());
    if (!inTheWay) return true;
    if (!(await isAbandoned(inTheWay, context))) return false;
    await context.accounts.release([id], inTheWay.member_id);
  }
  return false;
}

/** Frees the names that an account had when it was read and does not need any more, whoever has changed it since. */
export async function freeUnneeded(
  read: Account,
  { accounts }: Pick<ClaimContext, 'accounts'>,
): Promise<void> {
  const account = await accounts.find(read._id);
  const needed = account ? claimsOf(account) : [];
  await accounts.release(
    claimsOf(read).filter((id) => !needed.includes(id)),
    read._id,
  );
}

/** Whether somebody has the name already. */
export async function isTaken(id: string, context: ClaimContext): Promise<boolean> {
  const [claim] = await context.accounts.findClaims([id]);
  return claim !== undefined && !(await isAbandoned(claim, context));
}
