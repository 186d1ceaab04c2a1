import { failCodes } from '@covalence/contract/failure-codes';
import { invalidArgument, notFound } from '@covalence/contract/failure';
import { checkAccount, confirmAccount, reserveAccount } from '@covalence/contract/peers/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { claimId } from '../accounts/names/names.ts';
import {
  claimName,
  claimsOf,
  claimUsername,
  isTaken,
  isUsernameTaken,
  type AccountsContext,
} from '../accounts/names/claims.ts';
import { passwordAllowed } from '../accounts/passwords/password-rules.ts';
import { sendConfirmation } from '../mail/send-confirmation.ts';
import type { SignInContext } from '../sign-in/sign-in-context.ts';

type Credentials = z.output<typeof checkAccount.input>;

/**
 * Failure codes of the credentials of a registration: 10201 alone, or 10101 and 10302. Names are looked up only when
 * everything else is valid.
 */
async function refusedCredentials(input: Credentials, context: SignInContext): Promise<number[]> {
  const { siteid, username, email, password, password_minimum: minimum, member_id } = input;
  const site = context.sites.get(siteid);
  if (password !== undefined && !passwordAllowed(password, { minimum, username, email, site }))
    return [failCodes.passwordInvalid];
  if (input.look_up_names === false) return [];
  const [usernameTaken, emailTaken] = await Promise.all([
    username !== undefined && isUsernameTaken(siteid, username, context, member_id),
    email !== undefined && isTaken(claimId(siteid, 'email', email), context, member_id),
  ]);
  return [...(usernameTaken ? [failCodes.usernameTaken] : []), ...(emailTaken ? [failCodes.emailTaken] : [])];
}

/** POST /internal/accounts/check: the codes with which a registration would be refused. */
export const check = serviceEndpoint(checkAccount, async (input, context: SignInContext) => ({
  failcode: await refusedCredentials(input, context),
}));

/**
 * Claims both names of a pending account, one after the other, so that of two registrations with the same names exactly
 * one succeeds. When a name is taken, removes the account and throws its code.
 */
async function claimNames(account: Account, context: AccountsContext): Promise<void> {
  const { accounts, clock } = context;
  const { _id: memberId, siteid, username, email } = account;
  const emailClaim = claimId(siteid, 'email', email);
  const hasUsername = await claimUsername(siteid, username, memberId, context);
  const hasEmail = hasUsername
    ? await claimName(emailClaim, memberId, context)
    : !(await isTaken(emailClaim, context));
  if (hasUsername && hasEmail) return;
  await accounts.claims.release(claimsOf(account, clock()), memberId);
  await accounts.pending.remove(memberId);
  throw invalidArgument(
    ...(hasUsername ? [] : [failCodes.usernameTaken]),
    ...(hasEmail ? [] : [failCodes.emailTaken]),
  );
}

/**
 * POST /internal/accounts/reserve: the first step of a registration (docs/auth.md). The account is written before its
 * names are claimed, so that the state of every claim can be read from an account.
 */
export const reserve = serviceEndpoint(
  { ...reserveAccount, codes: [failCodes.usernameTaken, failCodes.passwordInvalid, failCodes.emailTaken] },
  async (input, context: SignInContext & { redis: { ping(): Promise<unknown> } }) => {
    const { accounts, redis, clock } = context;
    // The last step stores a code in Redis. Without Redis, a retry would find its own names taken.
    await redis.ping();
    const existing = await accounts.find(input.member_id);
    if (existing) {
      if (existing.status !== 'active') await claimNames(existing, context);
      return { id: existing.id };
    }
    const refused = await refusedCredentials(input, context);
    if (refused.length) throw invalidArgument(...refused);
    const account: Account = {
      _id: input.member_id,
      id: input.id,
      siteid: input.siteid,
      username: input.username,
      email: input.email,
      password_hash: await accounts.passwords.hash(input.password, input.address),
      status: 'pending',
      staff: false,
      created_at: clock(),
      ...(input.email_confirmed && { email_confirmed_at: clock() }),
    };
    const stored = (await accounts.pending.add(account)) ?? account;
    if (stored.status !== 'active') await claimNames(stored, context);
    return { id: stored.id };
  },
);

/** POST /internal/accounts/confirm: the member exists, so the account can sign in. 404 for a removed account. */
export const confirm = serviceEndpoint(confirmAccount, async (input, context: SignInContext) => {
  const { accounts, afterResponse, clock } = context;
  await accounts.pending.activate(input.member_id, clock(), input.locale);
  const account = await accounts.find(input.member_id);
  if (!account) throw notFound();
  afterResponse.run(sendConfirmation(account, context));
  return {};
});
