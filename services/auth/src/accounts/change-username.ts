import { invalidArgument, notFound } from '@covalence/contract/failure';
import { applyUsername, claimUsername } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import type { Account } from './account-store.ts';
import { takeClaim } from './claims.ts';
import { claimId } from './login-key.ts';

const idOf = (account: Account, username: string) => claimId(account.siteid, 'username', username);

async function takeUsername(memberId: string, username: string, context: Context): Promise<Account> {
  const account = await context.accounts.find(memberId);
  if (!account) throw notFound();
  if (!(await takeClaim(idOf(account, username), memberId, context))) throw invalidArgument(10101);
  return account;
}

/** Frees the names that the account had and does not need any more. */
async function freeOthers(account: Account, kept: readonly string[], context: Context): Promise<void> {
  const { username, pending_username: pending } = account;
  const held = [username, pending].flatMap((name) => (name ? [idOf(account, name)] : []));
  await context.accounts.release(
    held.filter((id) => !kept.includes(id)),
    account._id,
  );
}

/**
 * POST /internal/accounts/claim-username: keeps a new username while it waits for approval (D15). One at a time: it
 * replaces an earlier one, and the current username withdraws it.
 */
export const claimNewUsername = endpoint({
  access: 'service',
  summary: 'Keep a new username until it is approved',
  input: claimUsername.input,
  output: claimUsername.output,
  codes: [10101],
  handler: async ({ input: { member_id, username } }, context: Context) => {
    const account = await takeUsername(member_id, username, context);
    const current = idOf(account, account.username);
    const wanted = idOf(account, username);
    await context.accounts.setPendingUsername(
      member_id,
      username === account.username ? undefined : username,
    );
    await freeOthers(account, [current, wanted], context);
    return {};
  },
});

/** POST /internal/accounts/apply-username: the approved username becomes the login name, the old one is free. */
export const applyNewUsername = endpoint({
  access: 'service',
  summary: 'Make an approved username the login name',
  input: applyUsername.input,
  output: applyUsername.output,
  codes: [10101],
  handler: async ({ input: { member_id, username } }, context: Context) => {
    const account = await takeUsername(member_id, username, context);
    await context.accounts.setUsername(member_id, username);
    await freeOthers(account, [idOf(account, username)], context);
    return {};
  },
});
