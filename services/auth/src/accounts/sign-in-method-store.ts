import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { Connection } from 'mongoose';
import type { QueuedMail } from './account.ts';
import { accountCollection, withMails } from './account-store.ts';

/** A passkey, or an account at a provider. */
export interface SignInMethod {
  readonly list: 'passkeys' | 'identities';
  readonly id: string;
}

/** Data stored together with the removal of a sign-in method. */
export interface RemovalExtras {
  readonly mails?: readonly QueuedMail[];
  readonly at: Date;
  /** It delayed a recovery until now. */
  readonly isSettled?: boolean | undefined;
  /** Only if something else signs the member in: a password, a passkey, or an account at one of these providers. */
  readonly unlessLast?: { readonly providers: readonly string[] };
}

const hasAnother = ({ id }: SignInMethod, providers: readonly string[]) => ({
  $or: [
    { password_hash: { $exists: true } },
    { passkeys: { $elemMatch: { id: { $ne: id } } } },
    { identities: { $elemMatch: { id: { $ne: id }, provider: { $in: providers } } } },
  ],
});

/** Creates the store on the collection of accounts. */
export function createSignInMethodStore(connection: Connection) {
  const { model, isChanged } = accountCollection(connection);
  return {
    /** Removes a sign-in method together with the mails about it; false when it is gone, or the last one. */
    async remove(
      memberId: string,
      method: SignInMethod,
      { mails = [], at, isSettled = false, unlessLast }: RemovalExtras,
    ): Promise<boolean> {
      const { list, id } = method;
      const mayGo = {
        _id: memberId,
        [`${list}.id`]: id,
        ...(unlessLast && hasAnother(method, unlessLast.providers)),
      };
      const $set = isSettled ? { settled_passkey_removed_at: at } : {};
      const change = (removed: object) => withMails({ $set, ...removed }, { mails, at });
      const second = `${list}.1`;
      return retryOnConflict('the sign-in methods of an account', async () => {
        // An empty list would be a value of the unique index.
        const alone = { ...mayGo, [second]: { $exists: false } };
        if (await isChanged(alone, change({ $unset: { [list]: 1 } }))) return true;
        const amongOthers = { ...mayGo, [second]: { $exists: true } };
        if (await isChanged(amongOthers, change({ $pull: { [list]: { id } } }))) return true;
        return (await model.exists(mayGo)) ? conflict : false;
      });
    },
  };
}

/** Removal of passkeys and of accounts at providers. */
export type SignInMethodStore = ReturnType<typeof createSignInMethodStore>;
