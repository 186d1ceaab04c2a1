import { invalidArgument, notFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { applyUsername, claimUsername } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../../context.ts';
import type { Account } from '../account.ts';
import { freeUnneeded, takeUsername } from './claims.ts';

async function takeFor(memberId: string, username: string, context: Context): Promise<Account> {
  const account = await context.accounts.find(memberId);
  if (!account) throw notFound();
  if (!(await takeUsername(account.siteid, username, memberId, context)))
    throw invalidArgument(failCodes.usernameTaken);
  return account;
}

/**
 * POST /internal/accounts/claim-username: keeps a new username while it waits for approval. One at a time: it
 * replaces an earlier one, and the current username withdraws it.
 */
export const claimNewUsername = endpoint({
  access: 'service',
  summary: 'Keep a new username until it is approved',
  ...claimUsername,
  codes: [failCodes.usernameTaken],
  handler: async ({ input: { member_id, username } }, context: Context) => {
    const account = await takeFor(member_id, username, context);
    await context.accounts.setPendingUsername(
      member_id,
      username === account.username ? undefined : username,
    );
    await freeUnneeded(account, context);
    return {};
  },
});

/** POST /internal/accounts/apply-username: the approved username becomes the login name, the old one is free. */
export const applyNewUsername = endpoint({
  access: 'service',
  summary: 'Make an approved username the login name',
  ...applyUsername,
  codes: [failCodes.usernameTaken],
  handler: async ({ input: { member_id, username } }, context: Context) => {
    const account = await takeFor(member_id, username, context);
    await context.accounts.setUsername(account, username);
    // A wish that came meanwhile has freed what waited before it.
    await takeFor(member_id, username, context);
    await freeUnneeded(account, context);
    return {};
  },
});
