import { addressKey } from '@covalence/http/address-key';
import type { Account, Passkey } from '../accounts/account.ts';
import { isOffered } from '../accounts/identities/identity-providers.ts';
import type { WayIn } from '../accounts/way-in-store.ts';
import { noticesOf } from '../mail/queued-mail.ts';
import { announceChange } from './announce-change.ts';
import type { SignInContext } from './sign-in-context.ts';

/**
 * Counts a new way to sign in, of which a notice is mailed. Somebody who adds and removes them would fill the queue of mails, and hide
 * the notice that matters. 0 when it may be added, else the seconds to wait.
 */
export const secondsToAdd = (memberId: string, { accounts }: SignInContext): Promise<number> =>
  accounts.attempts.count('addedWayIn', memberId);

/** A way in that a member removes. */
interface Removal extends WayIn {
  /** What the notice calls it. */
  readonly what: string;
  /** It delayed a recovery until now. */
  readonly isSettled?: boolean;
  /** Address of the request. */
  readonly ip: string;
}

/** The event of a removal on a page. */
const removedOnPage = {
  passkeys: { name: 'passkey_removed', reason: 'page', kind: 'passkey' },
  identities: { name: 'identity_removed', reason: 'member', kind: 'provider' },
} as const;

/**
 * Removes a way to sign in with a notice by mail, unless nothing else signs the member in. Of two that are removed at once, one stays.
 * False when it stays.
 */
export async function removeWayIn(
  account: Account,
  { list, id, what, isSettled, ip }: Removal,
  context: SignInContext,
): Promise<boolean> {
  const { accounts, identities } = context;
  const { _id: member, siteid } = account;
  // A provider that was taken away from the site signs nobody in.
  const working = [...identities.providers.values()].filter(({ provider }) => isOffered(provider, siteid));
  const providers = working.map(({ provider }) => provider.id);
  const mails = noticesOf(account, { topic: 'mailWayInRemoved', values: { what } }, context);
  const extras = { mails, at: context.now(), isSettled, unlessLast: { providers } };
  if (!(await accounts.waysIn.remove(member, { list, id }, extras))) {
    const current = await accounts.find(member);
    return !current?.[list]?.some((one) => one.id === id);
  }
  const { name, reason, kind } = removedOnPage[list];
  context.security.record(name, { member, address: addressKey(ip), reason });
  announceChange(
    account,
    { mails, alert: { type: 'credential', data: { kind, change: 'removed' } } },
    context,
  );
  return true;
}

/** Records which ways in the recovery of an account has ended, except the passkeys that it has kept. */
export function recordEnded(
  { _id: member, passkeys = [], identities = [] }: Account,
  kept: readonly Passkey[],
  { security }: SignInContext,
): void {
  if (passkeys.length > kept.length) security.record('passkey_removed', { member, reason: 'recovery' });
  if (identities.length) security.record('identity_removed', { member, reason: 'recovery' });
}
