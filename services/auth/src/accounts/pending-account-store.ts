import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';
import type { Account } from './account.ts';
import { accountCollection } from './account-store.ts';

const status = 'pending';

/** Creates the store on the collection of accounts. */
export function createPendingAccountStore(connection: Connection) {
  const { model, documents } = accountCollection(connection);
  return {
    /** Adds an account, or returns the existing one with this id. */
    async add(account: Account): Promise<Account | undefined> {
      const isAdded = await unlessDuplicate(model.create(account));
      return isAdded ? undefined : ((await documents.findOne({ _id: account._id })) ?? undefined);
    },
    /** Adds many and skips those whose id exists. Resolves to true when all were added. */
    addMany: (list: readonly Account[]): Promise<boolean> =>
      unlessDuplicate(model.insertMany(list, { ordered: false, lean: true })),
    /** Lets a pending account sign in. A confirmation mail becomes due, unless its address is confirmed. */
    async activate(memberId: string, at: Date, locale?: string) {
      const change = { status: 'active', ...(locale && { locale }) } as const;
      const unconfirmed = { _id: memberId, status, email_confirmed_at: { $exists: false } } as const;
      await model.updateOne(unconfirmed, { $set: { ...change, mail_due_at: at } });
      await model.updateOne({ _id: memberId, status }, { $set: change });
    },
    /** Lets imported accounts sign in. Their addresses are confirmed, so no mail becomes due. */
    async activateMany(memberIds: readonly string[]) {
      await model.updateMany({ _id: { $in: [...memberIds] }, status }, { $set: { status: 'active' } });
    },
    /** Marks a pending account as abandoned; false when it was reserved again since `created_at`. */
    async abandon(memberId: string, created_at: Date, at: Date): Promise<boolean> {
      const unchanged = { _id: memberId, status, created_at } as const;
      return (await model.updateOne(unchanged, { $set: { abandoned_at: at } })).matchedCount === 1;
    },
    /** Reserves pending accounts again, except abandoned ones. */
    async renewMany(memberIds: readonly string[], at: Date) {
      const open = { _id: { $in: [...memberIds] }, status, abandoned_at: { $exists: false } } as const;
      await model.updateMany(open, { $set: { created_at: at } });
    },
    /** Deletes an account that is still pending. */
    async remove(memberId: string) {
      await model.deleteOne({ _id: memberId, status });
    },
    /** Pending accounts from before `date`, at most 500. */
    before: (date: Date): Promise<Account[]> =>
      model
        .find({ status, created_at: { $lt: date } })
        .limit(500)
        .lean<Account[]>(),
  };
}

/** Accounts from their reservation to their activation or removal. */
export type PendingAccountStore = ReturnType<typeof createPendingAccountStore>;
