import { unavailable } from '@covalence/contract/failure';
import type { Clock } from '@covalence/runtime/clock';
import type { AccountStore } from '../account-store.ts';
import type { Account, AddressEffects } from '../account.ts';
import type { Addresses } from './addresses.ts';

/** A change of an account's addresses, and what it brings with it. */
export interface AddressChange {
  readonly after: Addresses;
  readonly effects?: AddressEffects;
}

const tries = 20;

/**
 * Changes the addresses of an account by compare-and-set: `change` is asked again where another change came first. Resolves with
 * the account as it was before, or undefined where there is none or `change` declines.
 */
export async function changeAddresses(
  memberId: string,
  change: (account: Account) => AddressChange | undefined,
  { accounts, now }: { readonly accounts: AccountStore; readonly now: Clock },
): Promise<Account | undefined> {
  for (let turn = 0; turn < tries; turn += 1) {
    const account = await accounts.find(memberId);
    const next = account && change(account);
    if (!account || !next) return undefined;
    if (await accounts.changeAddresses(account, next.after, now(), next.effects)) return account;
  }
  throw unavailable(new Error('the addresses of an account change all the time'));
}
