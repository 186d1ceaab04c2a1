import type { Connection } from 'mongoose';
import type { Account, Passkey, QueuedMail } from './account.ts';
import { accountCollection, sameSignOuts, withMails } from './account-store.ts';
import { withSameFactors } from './second-factor-store.ts';

/** Passkeys per account. */
export const maxPasskeys = 10;

/** Path of a passkey in the document. Writes check that the passkey is still there. */
const placeOf = ({ passkeys = [] }: Account, id: string): string =>
  `passkeys.${passkeys.findIndex((passkey) => passkey.id === id)}`;

/** Data stored together with a new passkey. */
export interface PasskeyExtras {
  readonly mails: readonly QueuedMail[];
  /** Hashes. */
  readonly recoveryCodes?: readonly string[] | undefined;
}

/** Creates the store on the collection of accounts. */
export function createPasskeyStore(connection: Connection) {
  const { model, documents, isChanged } = accountCollection(connection);
  return {
    /** The active account of a credential id. */
    findAccount: async (id: string): Promise<Account | undefined> =>
      (await documents.findOne({ 'passkeys.id': id, status: 'active' })) ?? undefined,
    /** Whether any account has a credential id, active or not. */
    exists: async (id: string): Promise<boolean> =>
      (await documents.findOne({ 'passkeys.id': id }, { projection: { _id: 1 } })) !== null,
    /**
     * Adds a passkey together with the mails about it. With recovery codes it is a second factor, and the factors have to be those that
     * were read; staff have no page to remove a lost app or passkey, so it replaces them. False when the account has as many as it may, or a passkey of another
     * user id, when an account has this one, or when the member was signed out since the account was read.
     */
    add(
      account: Account,
      user: string,
      passkey: Passkey,
      { mails, recoveryCodes }: PasskeyExtras,
    ): Promise<boolean> {
      const { id, created_at } = passkey;
      const hasRoom = {
        ...(recoveryCodes && withSameFactors(account)),
        ...sameSignOuts(account),
        status: 'active' as const,
        'passkeys.id': { $ne: id },
        [`passkeys.${maxPasskeys - 1}`]: { $exists: false },
        $or: [{ passkey_user: user }, { passkey_user: { $exists: false } }],
      };
      const $set = { passkey_user: user, ...(recoveryCodes && { recovery_codes: recoveryCodes }) };
      const change =
        recoveryCodes && account.staff
          ? { $set: { ...$set, passkeys: [passkey] }, $unset: { totp: 1 } }
          : { $set, $push: { passkeys: passkey } };
      return isChanged(hasRoom, withMails(change, { mails, at: created_at }));
    },
    /** Stores the use of a passkey; false when it was removed or used since it was read. */
    async use(
      account: Account,
      { id, counter: before }: Passkey,
      {
        counter,
        backed_up,
        at,
      }: { readonly counter: number; readonly backed_up: boolean; readonly at: Date },
    ): Promise<boolean> {
      const place = placeOf(account, id);
      const { matchedCount } = await model.updateOne(
        { _id: account._id, [`${place}.id`]: id, [`${place}.counter`]: before },
        {
          $set: {
            [`${place}.counter`]: counter,
            [`${place}.backed_up`]: backed_up,
            [`${place}.last_used_at`]: at,
          },
        },
      );
      return matchedCount === 1;
    },
    /** Names a passkey, unless it was removed since the account was read. */
    async rename(account: Account, id: string, name: string) {
      const place = placeOf(account, id);
      await model.updateOne({ _id: account._id, [`${place}.id`]: id }, { $set: { [`${place}.name`]: name } });
    },
  };
}

/** Passkeys, in the documents of their accounts. */
export type PasskeyStore = ReturnType<typeof createPasskeyStore>;
