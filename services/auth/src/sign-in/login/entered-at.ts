import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import type { Account } from '../../accounts/account.ts';
import type { SignInMethod } from '../../tokens/sessions/sign-in-result.ts';

/** Method and time of a proof of an account. */
interface Entry {
  readonly method: SignInMethod;
  readonly authenticatedAt: Date;
  /** When a provider asked for credentials, in seconds since the epoch, if it says so. */
  readonly askedAt?: number | undefined;
}

/** Whether a member can enter credentials here. */
export const hasOwnCredentials = ({ password_hash, passkeys }: Account): boolean =>
  password_hash !== undefined || Boolean(passkeys?.length);

/** Providers may ask for nothing: such a sign-in counts as older than any that is called recent. */
const unaskedSeconds = recentSignInSeconds + 1;

/** When credentials were entered, in seconds. A provider that does not say so counts only for members with no other sign-in method. */
export function enteredAt({ method, authenticatedAt, askedAt }: Entry, account: Account): number {
  const proven = Math.floor(authenticatedAt.getTime() / 1000);
  if (method !== 'fed' || !hasOwnCredentials(account)) return proven;
  return Math.min(proven, askedAt ?? proven - unaskedSeconds);
}
