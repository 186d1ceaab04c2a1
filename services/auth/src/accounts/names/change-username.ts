import { failCodes } from '@covalence/contract/failure-codes';
import { invalidArgument, notFound } from '@covalence/contract/failure';
import * as authApi from '@covalence/contract/peers/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { Account } from '../account.ts';
import { claimUsername, releaseUnneeded, type AccountsContext } from './claims.ts';

async function claimFor(memberId: string, username: string, context: AccountsContext): Promise<Account> {
  const account = await context.accounts.find(memberId);
  if (!account) throw notFound();
  if (!(await claimUsername(account.siteid, username, memberId, context)))
    throw invalidArgument(failCodes.usernameTaken);
  return account;
}

/** POST /internal/accounts/claim-username: stores a username until approval; the current one withdraws it. */
export const claimNewUsername = serviceEndpoint(
  { ...authApi.claimUsername, codes: [failCodes.usernameTaken] },
  async ({ member_id, username }, context: AccountsContext) => {
    const account = await claimFor(member_id, username, context);
    const pending = username === account.username ? undefined : username;
    await context.accounts.setPendingUsername(member_id, pending);
    await releaseUnneeded(account, context);
    return {};
  },
);

/** POST /internal/accounts/apply-username: the approved username becomes the login name; the former one is released. */
export const applyNewUsername = serviceEndpoint(
  { ...authApi.applyUsername, codes: [failCodes.usernameTaken] },
  async ({ member_id, username }, context: AccountsContext) => {
    const account = await claimFor(member_id, username, context);
    await context.accounts.setUsername(account, username);
    // A concurrent request may have released the pending username.
    await claimFor(member_id, username, context);
    await releaseUnneeded(account, context);
    return {};
  },
);
