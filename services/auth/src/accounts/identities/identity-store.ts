import type { Connection } from 'mongoose';
import type { Account, Identity, QueuedMail } from '../account.ts';
import { accountCollection, sameSignOuts, withMails } from '../account-store.ts';

/** The id of an identity. */
export const identityId = (provider: string, siteid: number, subject: string): string =>
  `${provider}:${siteid}:${subject}`;

/** The `sub` in an identity's id. */
export const subjectOf = ({ id }: Pick<Identity, 'id'>): string => id.split(':').slice(2).join(':');

const withAny = (ids: readonly string[]) => ({ 'identities.id': { $in: [...ids] } });

/** Creates the store on the collection of accounts. */
export function createIdentityStore(connection: Connection) {
  const { model, documents, isChanged } = accountCollection(connection);
  return {
    /** The active accounts that identities sign in. */
    findAccounts: (ids: readonly string[]): Promise<Account[]> =>
      documents.find({ ...withAny(ids), status: 'active' }).toArray(),
    /** Whether any identity is linked. */
    isLinked: async (ids: readonly string[]): Promise<boolean> =>
      (await documents.findOne(withAny(ids), { projection: { _id: 1 } })) !== null,
    /**
     * Links an identity together with the mails about it. False when another account has it, the account has another one of this
     * provider, or its member was signed out since the account was read.
     */
    add(account: Account, { email, ...identity }: Identity, mails: readonly QueuedMail[]): Promise<boolean> {
      const isFree = { ...sameSignOuts(account), 'identities.provider': { $ne: identity.provider } };
      const $push = { identities: { ...identity, ...(email !== undefined && { email }) } };
      return isChanged(isFree, withMails({ $push }, { mails, at: identity.linked_at }));
    },
    async setUsed(memberId: string, id: string, at: Date) {
      await model.updateOne(
        { _id: memberId, 'identities.id': id },
        { $max: { 'identities.$.last_used_at': at } },
      );
    },
  };
}

/** Accounts at providers that sign members in, in the documents of their accounts. */
export type IdentityStore = ReturnType<typeof createIdentityStore>;
