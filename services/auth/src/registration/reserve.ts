import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { reserveAccount } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import type { Account } from '../accounts/account.ts';
import { refusedCredentials } from './check.ts';
import { claimsOf, isTaken, takeClaim, takeUsername } from '../accounts/names/claims.ts';
import { claimId } from '../accounts/names/claim-id.ts';

/**
 * Claims both names of a pending account; when one is taken gives everything up and answers its code. One after the
 * other, so that of two registrations with the same names exactly one succeeds.
 */
async function claimNames(account: Account, context: Context): Promise<void> {
  const { accounts } = context;
  const { _id: memberId, siteid, username, email } = account;
  const emailClaim = claimId(siteid, 'email', email);
  const usernameMine = await takeUsername(siteid, username, memberId, context);
  const emailMine = usernameMine
    ? await takeClaim(emailClaim, memberId, context)
    : !(await isTaken(emailClaim, context));
  if (usernameMine && emailMine) return;
  await accounts.release(claimsOf(account, context.now()), memberId);
  await accounts.removePending(memberId);
  throw invalidArgument(
    ...(usernameMine ? [] : [failCodes.usernameTaken]),
    ...(emailMine ? [] : [failCodes.emailTaken]),
  );
}

/**
 * POST /internal/accounts/reserve: the first step of a registration (docs/auth.md). The account is written before its
 * names are claimed, so that every claim has an account that tells what became of it.
 */
export const reserve = endpoint({
  access: 'service',
  summary: 'Claim username and e-mail of a new member',
  ...reserveAccount,
  codes: [failCodes.usernameTaken, failCodes.passwordInvalid, failCodes.emailTaken],
  handler: async ({ input }, context: Context) => {
    const { accounts, passwords, redis, now } = context;
    // It ends with a code, which Redis keeps: begun without, it would be answered 503 and, sent again, find its own names taken.
    await redis.ping();
    const existing = await accounts.find(input.member_id);
    if (existing?.status === 'active') return {};
    if (existing) {
      await claimNames(existing, context);
      return {};
    }
    const refused = await refusedCredentials(input, context);
    if (refused.length) throw invalidArgument(...refused);
    const account: Account = {
      _id: input.member_id,
      id: input.id,
      siteid: input.siteid,
      username: input.username,
      email: input.email,
      password_hash: await passwords.hash(input.password, input.address),
      status: 'pending',
      staff: false,
      created_at: now(),
    };
    const present = await accounts.add(account);
    if (present?.status !== 'active') await claimNames(present ?? account, context);
    return {};
  },
});
