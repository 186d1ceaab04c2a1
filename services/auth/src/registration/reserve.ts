import { failCodes } from '@covalence/contract/failure-codes';
import { invalidArgument } from '@covalence/contract/failure';
import { reserveAccount } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Account } from '../accounts/account.ts';
import { claimId } from '../accounts/names/claim-id.ts';
import { claimName, claimsOf, claimUsername, isTaken, type ClaimContext } from '../accounts/names/claims.ts';
import type { Passwords } from '../accounts/passwords/passwords.ts';
import { refusedCredentials, type CheckContext } from './check.ts';

/** Dependencies of a reservation. */
interface ReserveContext extends CheckContext {
  readonly accounts: ClaimContext['accounts'] & { readonly passwords: Passwords };
  readonly redis: { ping(): Promise<unknown> };
}

/**
 * Claims both names of a pending account, one after the other, so that of two registrations with the same names exactly
 * one succeeds. When a name is taken, removes the account and throws its code.
 */
async function claimNames(account: Account, context: ClaimContext): Promise<void> {
  const { accounts, now } = context;
  const { _id: memberId, siteid, username, email } = account;
  const emailClaim = claimId(siteid, 'email', email);
  const hasUsername = await claimUsername(siteid, username, memberId, context);
  const hasEmail = hasUsername
    ? await claimName(emailClaim, memberId, context)
    : !(await isTaken(emailClaim, context));
  if (hasUsername && hasEmail) return;
  await accounts.claims.release(claimsOf(account, now()), memberId);
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
export const reserve = endpoint({
  access: 'service',
  summary: 'Claim username and e-mail of a new member',
  ...reserveAccount,
  codes: [failCodes.usernameTaken, failCodes.passwordInvalid, failCodes.emailTaken],
  handler: async ({ input }, context: ReserveContext) => {
    const { accounts, redis, now } = context;
    // The last step stores a code in Redis. Without Redis, a retry would find its own names taken.
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
      password_hash: await accounts.passwords.hash(input.password, input.address),
      status: 'pending',
      staff: false,
      created_at: now(),
    };
    const present = await accounts.pending.add(account);
    if (present?.status !== 'active') await claimNames(present ?? account, context);
    return {};
  },
});
