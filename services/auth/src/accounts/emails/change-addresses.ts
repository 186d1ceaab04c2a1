import type { Clock } from '@covalence/runtime/clock';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { AccountStore } from '../account-store.ts';
import type { Account, AddressEffects } from '../account.ts';
import type { Addresses } from './addresses.ts';

/** A change of an account's addresses, and what it brings with it. */
export interface AddressChange {
  readonly after: Addresses;
  readonly effects?: AddressEffects;
}

/**
 * Changes the addresses of an account by compare-and-set: `change` is asked again where another change came first. Resolves with
 * the account as it was before, or undefined where there is none or `change` declines.
 */
export async function changeAddresses(
  memberId: string,
  change: (account: Account) => AddressChange | undefined,
  { accounts, now }: { readonly accounts: AccountStore; readonly now: Clock },
): Promise<Account | undefined> {
  return retryOnConflict('the addresses of an account', async () => {
    const account = await accounts.find(memberId);
    const next = account && change(account);
    if (!account || !next) return undefined;
    const isChanged = await accounts.changeAddresses(account, next.after, now(), next.effects);
    return isChanged ? account : conflict;
  });
}
