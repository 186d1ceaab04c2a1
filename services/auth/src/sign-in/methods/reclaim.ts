import type { Account, Addresses, QueuedMail } from '../../accounts/account.ts';
import { changeAddresses } from '../../accounts/emails/change-addresses.ts';
import { checkTokens } from '../../accounts/identities/provider-tokens.ts';
import { releaseUnneeded } from '../../accounts/names/claims.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { announceChange, type Change } from './announce-change.ts';
import { isSettled, settledPasskeys } from './recovery.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { alertEnded, noticesOfRecovery, recordEnded } from './sign-in-methods.ts';

/** Time in seconds in which a request that is sent again does not alert again. */
const alertedSeconds = 60;

interface Reclaim {
  /** The addresses after it; undefined when it changes nothing. */
  readonly change: (account: Account) => Addresses | undefined;
  /** An alert of its own, besides those of the sign-in methods that end. */
  readonly alert?: Change['alert'];
}

/**
 * Gives an account back to who reads its mail: removes its password, links with providers, passkeys and two-step sign-in, except
 * settled ones, and changes its addresses, with notices to those from before. Every sign-in ends, before and after, because the
 * password may sign in in between. Resolves to the account as it was, or undefined when `change` changes nothing.
 */
export async function reclaim(
  memberId: string,
  { change, alert }: Reclaim,
  context: SignInContext,
): Promise<Account | undefined> {
  const { accounts, tokens } = context;
  const leftOf = (account: Account) => ({
    passkeys: settledPasskeys(account, context),
    withoutTwoStep: account.totp !== undefined && !isSettled(account.totp.added_at, context),
  });
  const found = await accounts.find(memberId);
  if (!found || !change(found)) return undefined;
  const attempt = `${memberId}:${found.email_revision ?? 0}`;
  if (await tokens.sessions.claim('reclaim-alerted', attempt, alertedSeconds)) {
    announceChange(found, { alert }, context);
    alertEnded(found, leftOf(found), context);
  }
  await signOutEverywhere(memberId, context);
  await checkTokens((await accounts.find(memberId))?.identities ?? [], context);
  let mails: readonly QueuedMail[] = [];
  const read = await changeAddresses(
    memberId,
    (current) => {
      const after = change(current);
      const left = leftOf(current);
      mails = noticesOfRecovery(current, { topic: 'mailReclaimed' }, left, context);
      const { passkeys: onlyPasskeys, withoutTwoStep } = left;
      return after && { after, effects: { mails, onlyPasskeys, withoutTwoStep } };
    },
    context,
  );
  await signOutEverywhere(memberId, context);
  // The mail was read by the member, whom other people's failures must not limit.
  await accounts.attempts.reset('account', memberId);
  if (read) {
    recordEnded(read, leftOf(read), context);
    announceChange(read, { mails }, context);
    await releaseUnneeded(read, context);
  }
  return read;
}
