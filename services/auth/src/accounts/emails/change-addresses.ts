import type { Clock } from '@covalence/runtime/clock';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { AccountStore } from '../account-store.ts';
import type { Account, Addresses } from '../account.ts';
import type { AddressEffects, EmailStore } from './email-store.ts';

/** New addresses of an account, and the effects of the change. */
export interface AddressChange {
  readonly after: Addresses;
  readonly effects?: AddressEffects;
}

/** Dependencies of changing addresses. */
interface ChangeContext {
  readonly accounts: Pick<AccountStore, 'find'> & { readonly emails: EmailStore };
  readonly clock: Clock;
}

/**
 * Changes the addresses of an account by compare-and-set; `change` is called again after a conflict. Resolves to the
 * account before the change, or undefined when there is no account or `change` returns undefined.
 */
export async function changeAddresses(
  memberId: string,
  change: (account: Account) => AddressChange | undefined,
  { accounts, clock }: ChangeContext,
): Promise<Account | undefined> {
  return retryOnConflict('the addresses of an account', async () => {
    const account = await accounts.find(memberId);
    const next = account && change(account);
    if (!next) return undefined;
    return (await accounts.emails.change(account, next.after, clock(), next.effects)) ?? conflict;
  });
}
