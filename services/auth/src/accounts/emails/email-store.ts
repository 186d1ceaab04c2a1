import { setOrRemove } from '@covalence/runtime/schema';
import type { Connection } from 'mongoose';
import type { Account, Addresses, Passkey, QueuedMail } from '../account.ts';
import { accountCollection, orNone, withMails } from '../account-store.ts';
import { firstExpiry } from '../addresses.ts';

/** Changes that a change of addresses causes in the same write. */
export interface AddressEffects {
  /** Mails that report the change. */
  readonly mails?: readonly QueuedMail[];
  /** The confirmation mail becomes due. */
  readonly isConfirmationDue?: boolean;
  /** Removes the password, accounts at providers and all other passkeys; browsers that knew the account count as strange. */
  readonly onlyPasskeys?: readonly Passkey[];
  /** Turns two-step sign-in off. */
  readonly withoutTwoStep?: boolean;
}

/** Creates the store on the collection of accounts. */
export function createEmailStore(connection: Connection) {
  const { documents } = accountCollection(connection);
  return {
    /** Replaces the addresses of an account, and resolves to it as it was before; undefined when they have changed since it was read. */
    async change(
      read: Account,
      after: Addresses,
      at: Date,
      { mails = [], isConfirmationDue, onlyPasskeys, withoutTwoStep }: AddressEffects = {},
    ): Promise<Account | undefined> {
      const { email, email_confirmed_at, pending_email, protected_emails = [] } = after;
      const { _id, email_revision: revision } = read;
      const values = {
        email,
        email_confirmed_at,
        pending_email,
        protected_emails: protected_emails.length ? protected_emails : undefined,
        addresses_expire_at: firstExpiry(after),
        email_revision: (revision ?? 0) + 1,
        ...(isConfirmationDue && { mail_due_at: at }),
        ...(withoutTwoStep && { totp: undefined, recovery_codes: undefined }),
        ...(onlyPasskeys && {
          recovered_at: at,
          password_hash: undefined,
          // An empty list would be a value of the unique index.
          passkeys: onlyPasskeys.length ? onlyPasskeys : undefined,
          identities: undefined,
        }),
      };
      const before = await documents.findOneAndUpdate(
        { _id, email_revision: orNone(revision) },
        withMails(setOrRemove(values), { mails, at }),
      );
      return before ?? undefined;
    },
    /** Accounts with an address that expired before `date`, at most 500. */
    expiredBefore: (date: Date): Promise<Account[]> =>
      documents
        .find({ addresses_expire_at: { $lt: date } })
        .limit(500)
        .toArray(),
    /** Confirms the current address, if it is this one. */
    async confirm(memberId: string, email: string, at: Date) {
      await documents.updateOne({ _id: memberId, email }, { $set: { email_confirmed_at: at } });
    },
    /** Takes the confirmation of the current address back, if it is this one. */
    async unconfirm(memberId: string, email: string) {
      await documents.updateOne({ _id: memberId, email }, { $unset: { email_confirmed_at: 1 } });
    },
  };
}

/** Email addresses of accounts. */
export type EmailStore = ReturnType<typeof createEmailStore>;
