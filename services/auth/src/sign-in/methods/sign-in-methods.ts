import type { Account, Passkey, QueuedMail } from '../../accounts/account.ts';
import { isOffered } from '../../accounts/identities/identity-providers.ts';
import type { SignInMethod } from '../../accounts/sign-in-method-store.ts';
import { noticesOf, type NoticeContent } from '../../mail/queued-mail.ts';
import type { Visit } from '../browser-account.ts';
import { recordEvent } from '../record-event.ts';
import { announceChange, credentialAlert, twoStepOff } from './announce-change.ts';
import type { SignInContext } from '../sign-in-context.ts';

/**
 * Counts a new sign-in method, of which a notice is mailed. Somebody who adds and removes them would fill the queue of mails, and hide
 * the notice that matters. 0 when it may be added, else the seconds to wait.
 */
export const secondsToAdd = (memberId: string, { accounts }: SignInContext): Promise<number> =>
  accounts.attempts.count('addedWayIn', memberId);

/** A sign-in method that a member removes. */
interface Removal extends SignInMethod {
  /** Its name in the notice. */
  readonly what: string;
  /** It delayed a recovery until now. */
  readonly isSettled?: boolean;
}

/** The event of a removal on a page. */
const removedOnPage = {
  passkeys: { name: 'passkey_removed', reason: 'page', kind: 'passkey' },
  identities: { name: 'identity_removed', reason: 'member', kind: 'provider' },
} as const;

/**
 * Removes a sign-in method with a notice by mail, unless nothing else signs the member in. Of two that are removed at once, one stays.
 * False when it stays.
 */
export async function removeSignInMethod(
  { account, context, request }: Visit,
  { list, id, what, isSettled }: Removal,
): Promise<boolean> {
  const { accounts, identities } = context;
  const { _id: member, siteid } = account;
  // A provider that was taken away from the site signs nobody in.
  const working = [...identities.providers.values()].filter(({ provider }) => isOffered(provider, siteid));
  const providers = working.map(({ provider }) => provider.id);
  const mails = noticesOf(account, { topic: 'mailWayInRemoved', values: { what } }, context);
  const extras = { mails, at: context.clock(), isSettled, unlessLast: { providers } };
  if (!(await accounts.signInMethods.remove(member, { list, id }, extras))) {
    const current = await accounts.find(member);
    return !current?.[list]?.some((one) => one.id === id);
  }
  const { name, reason, kind } = removedOnPage[list];
  recordEvent({ request, context }, name, { account, reason });
  announceChange(account, { mails, alert: credentialAlert(kind, 'removed') }, context);
  return true;
}

/** The sign-in methods that stay when an account is recovered. */
interface Left {
  readonly passkeys?: readonly Passkey[];
  /** The password is replaced, not removed. */
  readonly hasPassword?: boolean;
  readonly withoutTwoStep?: boolean;
}

/** The kinds of sign-in methods that the recovery of an account ends. */
const endedBy = (
  { password_hash, passkeys = [], identities = [], totp }: Account,
  { passkeys: kept = [], hasPassword = false, withoutTwoStep = false }: Left,
) => ({
  password: password_hash !== undefined && !hasPassword,
  passkey: passkeys.length > kept.length,
  provider: identities.length > 0,
  twoStep: withoutTwoStep && totp !== undefined,
});

/** Tells open sockets and devices what the recovery of an account removes, before it signs them out. */
export function alertEnded(account: Account, left: Left, context: SignInContext): void {
  const { twoStep, ...credentials } = endedBy(account, left);
  for (const kind of ['password', 'passkey', 'provider'] as const) {
    if (credentials[kind]) announceChange(account, { alert: credentialAlert(kind, 'removed') }, context);
  }
  if (twoStep) announceChange(account, twoStepOff, context);
}

/** The notices of a recovery: `content`, and one about two-step sign-in if that ends. The account is the one before it. */
export function noticesOfRecovery(
  account: Account,
  content: NoticeContent,
  left: Left,
  context: SignInContext,
): QueuedMail[] {
  const { locale } = content;
  const { twoStep } = endedBy(account, left);
  const contents = twoStep ? [content, { topic: 'mailTwoStepOff', locale } as const] : [content];
  return contents.flatMap((one) => noticesOf(account, one, context));
}

/** Records which sign-in methods the recovery of an account has ended, and whether it has turned two-step sign-in off. */
export function recordEnded(account: Account, left: Left, { security }: SignInContext): void {
  const { passkey, provider, twoStep } = endedBy(account, left);
  const facts = { member: account._id, reason: 'recovery' };
  if (passkey) security.record('passkey_removed', facts);
  if (provider) security.record('identity_removed', facts);
  if (twoStep) security.record('second_factor_removed', facts);
}
