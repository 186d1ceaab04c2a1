import type { AccountStore } from '../../accounts/account-store.ts';
import { endFamiliesOf, type EndContext } from '../families/end-families.ts';

/** What ending sign-ins works on. */
export interface SignOutContext extends EndContext {
  readonly accounts: AccountStore;
}

/**
 * Ends every browser session and every family of an account, except the family `spared`: refresh tokens, access tokens and
 * open sockets at once. Safe to repeat.
 */
export async function signOutEverywhere(
  memberId: string,
  context: SignOutContext,
  spared?: string,
): Promise<void> {
  await context.accounts.setSignedOut(memberId, context.now());
  await endFamiliesOf(memberId, spared, context);
}
