import { retryOnDuplicateKey, unlessDuplicate } from '@covalence/runtime/duplicate-key';
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
  /** When the first payment is due; absent if at once. */
  readonly begins?: Date | undefined;
  /** Whether it shows what the customer entered before, which only a recent sign-in may see. */
  readonly shows_customer?: true | undefined;
}

const closings = ['canceled', 'bought'] as const;

/** Why a page is to be closed: renewal was switched off, or the member has bought in an app. */
type Closing = (typeof closings)[number];

/** A member as a customer of a store. */
export interface Customer {
  /** The store's id of it. */
  readonly id: string;
  readonly member: number;
  readonly checkout?: StartedCheckout | undefined;
  /** Whether a page was completed, so that the store has what was entered on it, also where the payment failed later. */
  readonly has_details?: boolean | undefined;
  /** Present while the page is to be closed. */
  readonly closing?: Closing | undefined;
}

interface CustomerDocument extends Partial<Customer> {
  _id: string;
  store: StoreName;
  /** The member who is or was this customer, too, whose payments it still has. */
  former?: number;
  /** Whether the store is to delete the customer: its member was erased. */
  forget: boolean;
  /** When the job last tried what is to be done at the store. */
  tried_at?: Date;
}

const schema = new Schema<CustomerDocument>(
  {
    store: { type: String, enum: storeNames, required: true },
    member: { type: Number },
    checkout: {
      type: {
        _id: false,
        ...required({ id: String, product: String, amount: Number, currency: String }),
        ...required({ success_url: String, cancel_url: String }),
        begins: { type: Date },
        shows_customer: { type: Boolean },
      },
    },
    has_details: { type: Boolean },
    closing: { type: String, enum: closings },
    former: { type: Number },
    ...required({ _id: String, forget: Boolean }),
    tried_at: { type: Date },
  },
  { collection: 'customers', versionKey: false },
);
schema.index({ member: 1 }, { unique: true, sparse: true });
schema.index({ former: 1 }, { sparse: true });
schema.index({ store: 1, forget: 1, tried_at: 1 });
schema.index({ store: 1, closing: 1, tried_at: 1 });

/** A customer that is still the member's, with the same page. */
const unchanged = ({ id, member, checkout }: Customer) => ({
  _id: id,
  member,
  ...(checkout ? { 'checkout.id': checkout.id } : { checkout: { $exists: false } }),
});

/** Every customer that a member is or was. */
const ofMember = (member: number) => ({ $or: [{ member }, { former: member }] });

/** Creates the store on the service's database. */
export function createCustomerStore(connection: Connection) {
  const model = connection.model('Customer', schema);
  const read = async (filter: object): Promise<Customer | undefined> => {
    const found = await model.findOne(filter).lean<CustomerDocument>();
    if (found?.member === undefined) return undefined;
    const { _id: id, member, checkout, has_details, closing } = found;
    return { id, member, checkout, has_details, closing };
  };
  /** Leaves customers to the job that deletes them at the store. */
  const forget = async (filter: object) => {
    await model.updateMany(filter, {
      $set: { forget: true },
      $unset: { member: '', former: '', closing: '' },
    });
  };
  /** Customers for which there is something to do at the store, those first that were not tried for the longest time. */
  const findNext = async (filter: object, limit: number, at: Date): Promise<CustomerDocument[]> => {
    const found = await model.find(filter).sort({ tried_at: 1 }).limit(limit).lean<CustomerDocument[]>();
    await model.updateMany({ _id: { $in: found.map(({ _id }) => _id) } }, { $set: { tried_at: at } });
    return found;
  };

  return {
    find: (store: StoreName, member: number): Promise<Customer | undefined> => read({ store, member }),
    /** Keeps a customer for a member; false if another process has kept one, or the member has another. */
    create: (store: StoreName, member: number, id: string): Promise<boolean> =>
      unlessDuplicate(model.create({ _id: id, store, member, forget: false })),
    /** Replaces the page on which a member can pay; false if another process has. */
    async setCheckout(customer: Customer, checkout: StartedCheckout, has_details: boolean): Promise<boolean> {
      const { matchedCount } = await model.updateOne(unchanged(customer), {
        $set: { checkout, has_details },
      });
      return matchedCount === 1;
    },
    /** Gives up a customer that the store no longer has. */
    drop: (id: string) => forget({ _id: id }),
    /** Leaves the customer of an erased member to the job that deletes it at the store, which ends its subscriptions. */
    erase: (member: number) => forget(ofMember(member)),
    /** Keeps a customer whom a page has created, and who may not have paid; one that is known stays as it is. */
    async keep(store: StoreName, member: number, id: string) {
      const customer = { store, former: member, forget: false };
      await retryOnDuplicateKey(() =>
        model.updateOne({ _id: id }, { $setOnInsert: customer }, { upsert: true }),
      );
    },
    /** Makes a member the customer who pays now, whom a page that showed no customer has created; the one before is kept. */
    async adopt(store: StoreName, member: number, id: string) {
      if (await model.exists({ _id: id, member })) return;
      const before = await model
        .findOneAndUpdate(
          { store, member },
          { $set: { former: member }, $unset: { member: '', checkout: '', closing: '' } },
          { returnDocument: 'before' },
        )
        .lean<CustomerDocument>();
      const { checkout, closing } = before ?? {};
      const page = { ...(checkout && { checkout }), ...(closing && { closing }) };
      const customer = { store, member, forget: false, has_details: true, ...page };
      await model.updateOne({ _id: id }, { $set: customer, $unset: { former: '' } }, { upsert: true });
    },
    /** Customers that a store is to delete, with their pages. */
    async findForgotten(
      store: StoreName,
      limit: number,
      at: Date,
    ): Promise<Pick<Customer, 'id' | 'checkout'>[]> {
      const found = await findNext({ store, forget: true }, limit, at);
      return found.map(({ _id, checkout }) => ({ id: _id, checkout }));
    },
    /** Leaves it to the next call or job to close the page on which a member can pay; a cancellation stays the reason. */
    async setClosing(member: number, closing: Closing) {
      const filter = closing === 'canceled' ? { member } : { member, closing: null };
      await model.updateMany(filter, { $set: { closing } });
    },
    /** Leaves the page open. */
    async keepOpen(member: number) {
      await model.updateMany({ member }, { $unset: { closing: '' } });
    },
    /** Members whose pages are to be closed. */
    async findClosing(store: StoreName, limit: number, at: Date): Promise<number[]> {
      return (await findNext({ store, closing: { $ne: null } }, limit, at)).flatMap(
        ({ member }) => member ?? [],
      );
    },
    /** Says that the page of a customer was closed; another one that was started meanwhile is still to be. */
    async setClosed(customer: Customer, isComplete: boolean) {
      await model.updateOne(unchanged(customer), {
        ...(isComplete && { $set: { has_details: true } }),
        $unset: { closing: '', checkout: '' },
      });
    },
    /** Deletes what is known of a customer that the store has deleted. */
    async remove(id: string) {
      await model.deleteOne({ _id: id, forget: true });
    },
    /** The member who is or was a customer. */
    async memberOf(id: string): Promise<number | undefined> {
      const found = await model.findById(id).lean<CustomerDocument>();
      return found?.member ?? found?.former;
    },
    /** Every customer that a member is or was. */
    async of(member: number): Promise<{ readonly store: StoreName; readonly id: string }[]> {
      const found = await model.find(ofMember(member)).lean<CustomerDocument[]>();
      return found.map(({ _id, store }) => ({ store, id: _id }));
    },
  };
}

/** Stores which customer of a store a member is. */
export type CustomerStore = ReturnType<typeof createCustomerStore>;
