import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import type { AccountStore } from '../account-store.ts';
import type { Account } from '../account.ts';
import { claimedEmails } from '../addresses.ts';
import type { IdentitiesContext } from '../identities/provider-tokens.ts';
import type { PendingAccountStore } from '../pending-account-store.ts';
import { claimId, plainLookAlikes, usernameClaims, type Name } from './names.ts';
import type { Claim, ClaimStore } from './claim-store.ts';

/** Dependencies of accounts and their names. */
export interface AccountsContext extends IdentitiesContext {
  readonly accounts: AccountStore &
    IdentitiesContext['accounts'] & { readonly claims: ClaimStore; readonly pending: PendingAccountStore };
  readonly profile: Peer<'profile'>;
}

/** A registration or change is considered in progress for this time; later it may be abandoned. */
const inProgressMs = 10_000;

/** Attempts to claim a name that others release and claim at the same time. */
const maxAttempts = 3;

const emailIds = (siteid: number, emails: readonly string[]): string[] =>
  emails.filter(Boolean).map((email) => claimId(siteid, 'email', email));

/** The names with which an account signs in. */
export const loginNames = ({ siteid, username, email }: Account): string[] => [
  claimId(siteid, 'username', username),
  ...emailIds(siteid, [email]),
];

/** The names with which a member can ask for a new password: pending and protected addresses too. */
export const recoveryNames = (account: Account, now: Date): string[] => [
  claimId(account.siteid, 'username', account.username),
  ...emailIds(account.siteid, claimedEmails(account, now)),
];

/** The claims that an account needs. */
export function claimsOf(account: Account, now: Date): string[] {
  const { siteid, username, pending_username } = account;
  const names = [username, pending_username].filter((name) => name !== undefined);
  return [
    ...names.flatMap((name) => usernameClaims(siteid, name).map(({ _id }) => _id)),
    ...emailIds(siteid, claimedEmails(account, now)),
  ];
}

/** Whether an operation that began at `date` may still be in progress. */
export const isInProgress = (date: Date, clock: Clock): boolean =>
  clock().getTime() - date.getTime() < inProgressMs;

/**
 * Completes or removes a pending account. Profile is asked whether the member exists; if not, profile rejects a late insert
 * from then on. Resolves to true when the account exists afterwards.
 */
export async function resolvePending(
  account: Account,
  { accounts, profile, clock }: AccountsContext,
): Promise<boolean> {
  const { _id, id, created_at } = account;
  const { exists } = await profile.settleMember({ member_id: _id, id });
  if (exists) {
    await accounts.pending.activate(_id, clock());
    return true;
  }
  if (!(await accounts.pending.abandon(_id, created_at, clock()))) {
    // A repeated import has reserved it again, or another process has resolved it.
    return (await accounts.find(_id)) !== undefined;
  }
  // Names first: while the account exists, the periodic job completes what a crash interrupted.
  await accounts.claims.release(claimsOf(account, clock()), _id);
  await accounts.pending.remove(_id);
  return false;
}

/** Whether the owner of a claim no longer needs it: the registration failed, or a change was not completed. */
async function isAbandoned(claim: Claim, context: AccountsContext): Promise<boolean> {
  const { accounts, clock } = context;
  if (isInProgress(claim.at, clock)) return false;
  const account = await accounts.find(claim.member_id);
  if (!account) return true;
  if (account.status === 'pending') {
    return !isInProgress(account.created_at, clock) && !(await resolvePending(account, context));
  }
  return !claimsOf(account, clock()).includes(claim._id);
}

/** Claims a name for a member; false when another member owns it. Idempotent. */
export async function claimName(
  name: Name | string,
  memberId: string,
  context: AccountsContext,
): Promise<boolean> {
  const { claims } = context.accounts;
  const wanted = typeof name === 'string' ? { _id: name } : name;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const conflict = await claims.add({ ...wanted, member_id: memberId, at: context.clock() });
    if (!conflict) return true;
    if (!(await isAbandoned(conflict, context))) return false;
    await claims.release([wanted._id], conflict.member_id);
  }
  return false;
}

/** Whether another member owns a plain Latin username that looks like this one, which is not plain Latin. */
export async function isLookAlike(
  siteid: number,
  username: string,
  context: AccountsContext,
  memberId?: string,
): Promise<boolean> {
  for (const claim of await context.accounts.claims.findLookAlikes(plainLookAlikes(siteid, username))) {
    if (claim.member_id !== memberId && !(await isAbandoned(claim, context))) return true;
  }
  return false;
}

/**
 * Claims a username and its skeletons for a member; false when another member owns it or one that looks like it. Of two
 * concurrent look-alikes at most one succeeds. Idempotent.
 */
export async function claimUsername(
  siteid: number,
  username: string,
  memberId: string,
  context: AccountsContext,
): Promise<boolean> {
  if (await isLookAlike(siteid, username, context, memberId)) return false;
  for (const name of usernameClaims(siteid, username)) {
    if (!(await claimName(name, memberId, context))) return false;
  }
  return true;
}

/** Whether another member owns a username, or one that looks like it. */
export async function isUsernameTaken(
  siteid: number,
  username: string,
  context: AccountsContext,
  memberId?: string,
): Promise<boolean> {
  if (await isLookAlike(siteid, username, context, memberId)) return true;
  for (const { _id } of usernameClaims(siteid, username)) {
    if (await isTaken(_id, context, memberId)) return true;
  }
  return false;
}

/** Whether another member owns a name. */
export async function isTaken(id: string, context: AccountsContext, memberId?: string): Promise<boolean> {
  const [claim] = await context.accounts.claims.find([id]);
  if (!claim || claim.member_id === memberId) return false;
  return !(await isAbandoned(claim, context));
}

/** Releases the names that an account had when it was read, expired ones included, and no longer needs. */
export async function releaseUnneeded(read: Account, { accounts, clock }: AccountsContext): Promise<void> {
  const account = await accounts.find(read._id);
  const needed = account ? claimsOf(account, clock()) : [];
  const had = claimsOf(read, new Date(0));
  await accounts.claims.release(
    had.filter((id) => !needed.includes(id)),
    read._id,
  );
}
