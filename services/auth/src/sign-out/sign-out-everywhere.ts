import type { Clock } from '@covalence/runtime/clock';
import type { AccountStore } from '../accounts/account-store.ts';
import type { RefreshTokenStore } from '../tokens/refresh-token-store.ts';

/** What ending sign-ins works on. */
export interface SignOutContext {
  readonly accounts: AccountStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly now: Clock;
}

/**
 * Ends every browser session and every family of refresh tokens of an account, except the family `spared`. Access tokens
 * already given out end within their lifetime. Safe to repeat.
 */
export async function signOutEverywhere(
  memberId: string,
  { accounts, refreshTokens, now }: SignOutContext,
  spared?: string,
): Promise<void> {
  await accounts.setSignedOut(memberId, now());
  await refreshTokens.removeFamiliesOf(memberId, spared);
}
