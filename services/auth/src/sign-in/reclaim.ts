import type { Account, Addresses } from '../accounts/account.ts';
import { changeAddresses } from '../accounts/emails/change-addresses.ts';
import { checkTokens } from '../accounts/identities/provider-tokens.ts';
import { releaseUnneeded } from '../accounts/names/claims.ts';
import { signOutEverywhere } from '../tokens/sessions/sign-out-everywhere.ts';
import { isSettled, settledPasskeys } from './recovery.ts';
import type { SignInContext } from './sign-in-context.ts';
import { alertEnded, recordEnded } from './ways-in.ts';

/**
 * Gives an account back to who reads its mail: removes its password, links with providers, passkeys and two-step sign-in, except
 * settled ones, and changes its addresses. Every sign-in ends, before and after, because the password may sign in in between.
 * Resolves to the account as it was, or undefined when `change` changes nothing.
 */
export async function reclaim(
  memberId: string,
  change: (account: Account) => Addresses | undefined,
  context: SignInContext,
): Promise<Account | undefined> {
  const { accounts } = context;
  const leftOf = (account: Account) => ({
    passkeys: settledPasskeys(account, context),
    withoutTwoStep: account.totp !== undefined && !isSettled(account.totp.added_at, context),
  });
  const found = await accounts.find(memberId);
  if (found && change(found)) alertEnded(found, leftOf(found), context);
  await signOutEverywhere(memberId, context);
  await checkTokens((await accounts.find(memberId))?.identities ?? [], context);
  const read = await changeAddresses(
    memberId,
    (current) => {
      const after = change(current);
      const { passkeys: onlyPasskeys, withoutTwoStep } = leftOf(current);
      return after && { after, effects: { onlyPasskeys, withoutTwoStep } };
    },
    context,
  );
  await signOutEverywhere(memberId, context);
  // The mail was read by the member, whom other people's failures must not limit.
  await accounts.attempts.reset('account', memberId);
  if (read) {
    recordEnded(read, leftOf(read), context);
    await releaseUnneeded(read, context);
  }
  return read;
}
