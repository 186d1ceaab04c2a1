import { settleMember } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import type { AccountStore } from '../account-store.ts';
import type { Account, Claim } from '../account.ts';
import { claimedEmails } from '../emails/addresses.ts';
import { claimId } from './claim-id.ts';
import { plainLookAlikes, usernameClaims, type Name } from './username-claims.ts';

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

const emailIds = (siteid: number, emails: readonly string[]): string[] =>
  emails.filter(Boolean).map((email) => claimId(siteid, 'email', email));

/** The names that an account signs in with. */
export const loginsOf = ({ siteid, username, email }: Account): string[] => [
  claimId(siteid, 'username', username),
  ...emailIds(siteid, [email]),
];

/** The names by which a member who has forgotten the password may know the account: also an address that is not in force any more, or not yet. */
export const remembered = (account: Account, now: Date): string[] => [
  claimId(account.siteid, 'username', account.username),
  ...emailIds(account.siteid, claimedEmails(account, now)),
];

/** The claims that an account needs as it stands. */
export function claimsOf(account: Account, now: Date): string[] {
  const { siteid, username, pending_username } = account;
  const names = [username, pending_username].filter((name) => name !== undefined);
  return [
    ...names.flatMap((name) => usernameClaims(siteid, name).map(({ _id }) => _id)),
    ...emailIds(siteid, claimedEmails(account, now)),
  ];
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
  await accounts.release(claimsOf(account, now()), account._id);
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
  return !claimsOf(account, context.now()).includes(claim._id);
}

/** Claims a name for a member; false when another one has it. Safe to repeat. */
export async function takeClaim(
  name: Name | string,
  memberId: string,
  context: ClaimContext,
): Promise<boolean> {
  const wanted = typeof name === 'string' ? { _id: name } : name;
  for (let turn = 0; turn < tries; turn += 1) {
    const claim = { ...wanted, member_id: memberId, at: context.now() };
    const inTheWay = await context.accounts.claim(claim);
    if (!inTheWay) return true;
    if (!(await isAbandoned(inTheWay, context))) return false;
    await context.accounts.release([wanted._id], inTheWay.member_id);
  }
  return false;
}

/** Whether a plain Latin username of somebody else looks like this one, which is none itself. */
export async function looksTaken(
  siteid: number,
  username: string,
  context: ClaimContext,
  memberId?: string,
): Promise<boolean> {
  const alike = await context.accounts.findLookAlikes(plainLookAlikes(siteid, username));
  for (const claim of alike) {
    if (claim.member_id !== memberId && !(await isAbandoned(claim, context))) return true;
  }
  return false;
}

/**
 * Claims a username for a member, with what it looks like where it is no plain Latin one; false when another one has it, or
 * one that looks like it. Of two that look alike at once at most one goes on. Safe to repeat.
 */
export async function takeUsername(
  siteid: number,
  username: string,
  memberId: string,
  context: ClaimContext,
): Promise<boolean> {
  if (await looksTaken(siteid, username, context, memberId)) return false;
  for (const name of usernameClaims(siteid, username)) {
    if (!(await takeClaim(name, memberId, context))) return false;
  }
  return true;
}

/** Whether somebody, other than this member, has a username already, or one that it looks like. */
export async function isUsernameTaken(
  siteid: number,
  username: string,
  context: ClaimContext,
  memberId?: string,
): Promise<boolean> {
  if (await looksTaken(siteid, username, context, memberId)) return true;
  for (const { _id } of usernameClaims(siteid, username)) {
    if (await isTaken(_id, context, memberId)) return true;
  }
  return false;
}

/** Every name that an account has written down, those that have expired too. */
const everyClaim = (account: Account): string[] => claimsOf(account, new Date(0));

/** Frees the names that an account had when it was read and does not need any more, whoever has changed it since. */
export async function freeUnneeded(
  read: Account,
  { accounts, now }: Pick<ClaimContext, 'accounts' | 'now'>,
): Promise<void> {
  const account = await accounts.find(read._id);
  const needed = account ? claimsOf(account, now()) : [];
  await accounts.release(
    everyClaim(read).filter((id) => !needed.includes(id)),
    read._id,
  );
}

/** Whether somebody, other than this member, has the name already. */
export async function isTaken(id: string, context: ClaimContext, memberId?: string): Promise<boolean> {
  const [claim] = await context.accounts.findClaims([id]);
  if (!claim || claim.member_id === memberId) return false;
  return !(await isAbandoned(claim, context));
}
