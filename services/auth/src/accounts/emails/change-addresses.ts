import { eachPart, type MayGoOn } from '@covalence/events/periodic';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { Account, Addresses } from '../account.ts';
import { withoutExpired } from '../addresses.ts';
import { releaseUnneeded, type AccountsContext } from '../names/claims.ts';
import type { AddressEffects, EmailStore } from './email-store.ts';

/** New addresses of an account, and the effects of the change. */
export interface AddressChange {
  readonly after: Addresses;
  readonly effects?: AddressEffects;
}

/** Dependencies of changing addresses. */
export interface EmailsContext extends AccountsContext {
  readonly accounts: AccountsContext['accounts'] & { readonly emails: EmailStore };
}

/**
 * Changes the addresses of an account by compare-and-set; `change` is called again after a conflict. Resolves to the
 * account before the change, or undefined when there is no account or `change` returns undefined.
 */
export async function changeAddresses(
  memberId: string,
  change: (account: Account) => AddressChange | undefined,
  { accounts, clock }: EmailsContext,
): Promise<Account | undefined> {
  return retryOnConflict('the addresses of an account', async () => {
    const account = await accounts.find(memberId);
    const next = account && change(account);
    if (!next) return undefined;
    return (await accounts.emails.change(account, next.after, clock(), next.effects)) ?? conflict;
  });
}

/** Time after which an expired address is removed: nothing can apply it anymore. */
const delayMs = 120_000;

/** Removes and releases expired addresses. A failure does not stop the others. Resolves to the number of failures. */
export async function expireAddresses(context: EmailsContext, mayGoOn: MayGoOn): Promise<number> {
  const { accounts, clock, logger } = context;
  const due = await accounts.emails.expiredBefore(new Date(clock().getTime() - delayMs));
  return eachPart(
    due,
    async ({ _id }) => {
      const read = await changeAddresses(
        _id,
        (account) => ({ after: withoutExpired(account, clock()) }),
        context,
      );
      if (read) await releaseUnneeded(read, context);
    },
    {
      mayGoOn,
      logger,
      left: 'removing expired addresses of a member failed: will retry',
      about: ({ id }) => ({ member: id }),
    },
  );
}
