import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { Price } from '../prices/package-data.ts';
import { storeNames, type StoreName } from './store.ts';

/** The page on which a member can pay, or has paid. */
export interface StartedCheckout extends Price {
  readonly id: string;
  readonly product: string;
  readonly success_url: string;
  readonly cancel_url: string;
}

/** A member as a customer of a store. */
export interface Customer {
  /** The store's id of it. */
  readonly id: string;
  readonly member: number;
  readonly checkout?: StartedCheckout | undefined;
}

interface CustomerDocument extends Partial<Customer> {
  _id: string;
  store: StoreName;
  /** Whether the store is to delete the customer: its member was erased. */
  forget: boolean;
  /** When it was last tried to delete it. */
  tried_at?: Date;
}

const schema = new Schema<CustomerDocument>(
  {
    _id: { type: String, required: true },
    store: { type: String, enum: storeNames, required: true },
    member: { type: Number },
    checkout: {
      type: {
        _id: false,
        ...required({ id: String, product: String, amount: Number, currency: String }),
        ...required({ success_url: String, cancel_url: String }),
      },
    },
    ...required({ forget: Boolean }),
    tried_at: { type: Date },
  },
  { collection: 'customers', versionKey: false },
);
schema.index({ member: 1 }, { unique: true, sparse: true });
schema.index({ store: 1, forget: 1, tried_at: 1 });

/** Creates the store on the service's database. */
export function createCustomerStore(connection: Connection) {
  const model = connection.model('Customer', schema);
  const read = async (filter: object): Promise<Customer | undefined> => {
    const found = await model.findOne(filter).lean<CustomerDocument>();
    if (found?.member === undefined) return undefined;
    return { id: found._id, member: found.member, checkout: found.checkout };
  };
  /** Leaves customers to the job that deletes them at the store. */
  const forget = async (filter: object) => {
    await model.updateMany(filter, { $set: { forget: true }, $unset: { member: '', checkout: '' } });
  };

  return {
    find: (store: StoreName, member: number): Promise<Customer | undefined> => read({ store, member }),
    /** Keeps a customer for a member; false if another process has kept one, or the member has another. */
    create: (store: StoreName, member: number, id: string): Promise<boolean> =>
      unlessDuplicate(model.create({ _id: id, store, member, forget: false })),
    /** Replaces the page on which a member can pay; false if another process has. */
    async setCheckout({ id, member, checkout }: Customer, next: StartedCheckout): Promise<boolean> {
      const before = checkout ? { 'checkout.id': checkout.id } : { checkout: { $exists: false } };
      const { matchedCount } = await model.updateOne(
        { _id: id, member, ...before },
        { $set: { checkout: next } },
      );
      return matchedCount === 1;
    },
    /** Gives up a customer that the store no longer has. */
    drop: (id: string) => forget({ _id: id }),
    /** Leaves the customer of an erased member to the job that deletes it at the store, which ends its subscriptions. */
    erase: (member: number) => forget({ member }),
    /** Customers that a store is to delete, those first that were not tried for the longest time. */
    async findForgotten(store: StoreName, limit: number, at: Date): Promise<string[]> {
      const found = await model
        .find({ store, forget: true }, { _id: 1 })
        .sort({ tried_at: 1 })
        .limit(limit)
        .lean<CustomerDocument[]>();
      const ids = found.map(({ _id }) => _id);
      await model.updateMany({ _id: { $in: ids } }, { $set: { tried_at: at } });
      return ids;
    },
    /** Deletes what is known of a customer that the store has deleted. */
    async remove(id: string) {
      await model.deleteOne({ _id: id, forget: true });
    },
    /** Every customer that a member is. */
    async of(member: number): Promise<{ readonly store: StoreName; readonly id: string }[]> {
      const found = await model.find({ member }).lean<CustomerDocument[]>();
      return found.map(({ _id, store }) => ({ store, id: _id }));
    },
  };
}

/** Stores which customer of a store a member is. */
export type CustomerStore = ReturnType<typeof createCustomerStore>;
