import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';
import type { Account } from './account.ts';
import { accountCollection } from './account-store.ts';

/** Accounts from their reservation to their activation or removal. */
export interface PendingAccountStore {
  /** Adds an account, or returns the existing one with this id. */
  add(account: Account): Promise<Account | undefined>;
  /** Adds many and skips those whose id exists. Resolves to true when all were added. */
  addMany(accounts: readonly Account[]): Promise<boolean>;
  /** Lets a pending account sign in. A confirmation mail becomes due, unless its address is confirmed. */
  activate(memberId: string, at: Date, locale?: string): Promise<void>;
  /** Lets imported accounts sign in. Their addresses are confirmed, so no mail becomes due. */
  activateMany(memberIds: readonly string[]): Promise<void>;
  /** Marks a pending account as abandoned; false when it was reserved again since `created_at`. */
  abandon(memberId: string, created_at: Date, at: Date): Promise<boolean>;
  /** Reserves pending accounts again, except abandoned ones. */
  renewMany(memberIds: readonly string[], at: Date): Promise<void>;
  /** Deletes an account that is still pending. */
  remove(memberId: string): Promise<void>;
  /** Pending accounts from before `date`, at most 500. */
  before(date: Date): Promise<Account[]>;
}

const status = 'pending';

/** Creates the store on the collection of accounts. */
export function createPendingAccountStore(connection: Connection): PendingAccountStore {
  const { model, documents } = accountCollection(connection);
  return {
    async add(account) {
      const isAdded = await unlessDuplicate(model.create(account));
      return isAdded ? undefined : ((await documents.findOne({ _id: account._id })) ?? undefined);
    },
    addMany: (list) => unlessDuplicate(model.insertMany(list, { ordered: false, lean: true })),
    async activate(memberId, at, locale) {
      const change = { status: 'active', ...(locale && { locale }) } as const;
      const unconfirmed = { _id: memberId, status, email_confirmed_at: { $exists: false } } as const;
      await model.updateOne(unconfirmed, { $set: { ...change, mail_due_at: at } });
      await model.updateOne({ _id: memberId, status }, { $set: change });
    },
    async activateMany(memberIds) {
      await model.updateMany({ _id: { $in: [...memberIds] }, status }, { $set: { status: 'active' } });
    },
    async abandon(memberId, created_at, at) {
      const unchanged = { _id: memberId, status, created_at } as const;
      return (await model.updateOne(unchanged, { $set: { abandoned_at: at } })).matchedCount === 1;
    },
    async renewMany(memberIds, at) {
      const open = { _id: { $in: [...memberIds] }, status, abandoned_at: { $exists: false } } as const;
      await model.updateMany(open, { $set: { created_at: at } });
    },
    async remove(memberId) {
      await model.deleteOne({ _id: memberId, status });
    },
    before: (date) =>
      model
        .find({ status, created_at: { $lt: date } })
        .limit(500)
        .lean<Account[]>(),
  };
}
