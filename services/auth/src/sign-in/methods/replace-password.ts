import type { Account } from '../../accounts/account.ts';
import type { PasswordEffects } from '../../accounts/account-store.ts';
import { checkTokens } from '../../accounts/identities/provider-tokens.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { announceChange, credentialAlert } from './announce-change.ts';
import { alertEnded, recordEnded } from './sign-in-methods.ts';

/** A new password. */
interface NewPassword {
  readonly hash: string;
  readonly effects: PasswordEffects;
  /** Checked again just before the password is set. */
  readonly mayGoOn?: () => Promise<boolean>;
}

/**
 * Sets a password and signs the member out everywhere, before and after, because the former password may sign in in between. Alerts first,
 * while the sockets are open. `read` is the account whose password is replaced, `current` the same now. False when it has changed.
 */
export async function replacePassword(
  { read, current }: Readonly<Record<'read' | 'current', Account>>,
  { hash, effects, mayGoOn = () => Promise.resolve(true) }: NewPassword,
  context: SignInContext,
): Promise<boolean> {
  const { accounts, clock } = context;
  const { _id } = read;
  const { endsOthers, endsSecondFactor: withoutTwoStep = false } = effects;
  const left = { hasPassword: true, withoutTwoStep };
  announceChange(read, { alert: credentialAlert('password', 'changed') }, context);
  if (endsOthers) alertEnded(current, left, context);
  await signOutEverywhere(_id, context);
  if (!(await mayGoOn())) return false;
  if (endsOthers) await checkTokens((await accounts.find(_id))?.identities ?? [], context);
  const before = await accounts.setPassword(read, hash, clock(), effects);
  if (!before) return false;
  if (endsOthers) recordEnded(before, left, context);
  await signOutEverywhere(_id, context);
  return true;
}
