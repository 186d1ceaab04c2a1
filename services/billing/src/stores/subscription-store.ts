import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { phases, storeNames, type StoreName, type StoreState } from './store.ts';

/** The facts of a subscription that count for its member. */
export interface SubscriptionFacts extends Pick<
  StoreState,
  'phase' | 'started_at' | 'expires_at' | 'autorenew' | 'currency'
> {
  readonly member: number;
  /** The token of the latest purchase. */
  readonly account?: string | undefined;
  readonly package_id: number;
  readonly rate_id: number;
  /** The rate that the next renewal buys instead; null if it is the same. */
  readonly next?: { readonly package_id: number; readonly rate_id: number } | null;
  /** Whether the store shares another person's purchase. */
  readonly is_shared?: boolean | undefined;
  /** Whether it is a tester's. */
  readonly is_test?: boolean | undefined;
}

/** A subscription at a store, as the store said last. */
export interface Subscription extends SubscriptionFacts {
  readonly store: StoreName;
  /** The store's name of it. */
  readonly reference: string;
  /** When the store is queried again; null if never. */
  readonly look_at: Date | null;
  /** The renewal that was requested and is to be switched at the store; absent if none was. */
  readonly renews?: boolean | undefined;
  /** Time since which the store has failed to switch renewal. */
  readonly failing_since?: Date | undefined;
  /** When the store last sent a notification. */
  readonly notified_at?: Date | undefined;
}

interface SubscriptionDocument extends Subscription {
  _id: string;
  /** The numbers of the last query, and of the one whose answer stands. */
  asked: number;
  answered: number;
}

const schema = new Schema<SubscriptionDocument>(
  {
    ...required({ _id: String, reference: String, member: Number, package_id: Number, rate_id: Number }),
    account: { type: String },
    store: { type: String, enum: storeNames, required: true },
    phase: { type: String, enum: phases, required: true },
    ...required({ started_at: Date, expires_at: Date, autorenew: Boolean, currency: String }),
    next: { type: { _id: false, ...required({ package_id: Number, rate_id: Number }) }, default: null },
    is_shared: { type: Boolean },
    is_test: { type: Boolean },
    look_at: { type: Date, default: null },
    renews: { type: Boolean },
    failing_since: { type: Date },
    notified_at: { type: Date },
    ...required({ asked: Number, answered: Number }),
  },
  { collection: 'subscriptions', versionKey: false },
);
schema.index({ member: 1 });
schema.index({ store: 1, look_at: 1 });

const keyOf = ({ store, reference }: SubscriptionName) => `${store}:${reference}`;

const asSubscription = ({
  _id,
  asked: _asked,
  answered: _answered,
  ...rest
}: SubscriptionDocument): Subscription => rest;

/** Names a subscription. */
export interface SubscriptionName {
  readonly store: StoreName;
  readonly reference: string;
}

/** A query of the store: its number orders the answers. */
export interface StoreQuery {
  readonly number: number;
  /** The subscription before the answer; undefined if it is new. */
  readonly known: Subscription | undefined;
}

/** Creates the store on the service's database. */
export function createSubscriptionStore(connection: Connection) {
  const model = connection.model('Subscription', schema);
  const read = async (filter: object): Promise<Subscription[]> =>
    (await model.find(filter).lean<SubscriptionDocument[]>()).map(asSubscription);

  return {
    async find(name: SubscriptionName): Promise<Subscription | undefined> {
      return (await read({ _id: keyOf(name) }))[0];
    },
    findOf: (members: readonly number[]): Promise<Subscription[]> => read({ member: { $in: [...members] } }),
    /**
     * Numbers a query, which a notification can cause. Until it is answered, the subscription is due at `look_at`: the
     * process may die meanwhile.
     */
    async beginQuery(name: SubscriptionName, look_at: Date, notified_at?: Date): Promise<StoreQuery> {
      const change = { $inc: { asked: 1 }, $set: { look_at, ...(notified_at && { notified_at }) } };
      const found = await model
        .findOneAndUpdate({ _id: keyOf(name) }, change, { returnDocument: 'after' })
        .lean<SubscriptionDocument>();
      return { number: found?.asked ?? 0, known: found ? asSubscription(found) : undefined };
    },
    /** Stores the first answer about a new subscription; false if another process has stored one. */
    create(
      name: SubscriptionName,
      facts: SubscriptionFacts,
      look_at: Date,
      notified_at: Date | undefined,
    ): Promise<boolean> {
      const document = { _id: keyOf(name), ...name, ...facts, look_at, notified_at, asked: 0, answered: 0 };
      return unlessDuplicate(model.create(document));
    },
    /** Gives a subscription to a member and resolves with the one who had it; undefined if it was deleted. */
    async claim(name: SubscriptionName, member: number): Promise<number | undefined> {
      const before = await model
        .findOneAndUpdate({ _id: keyOf(name) }, { $set: { member } }, { returnDocument: 'before' })
        .lean<SubscriptionDocument>();
      return before?.member;
    },
    /**
     * Stores an answer about a known subscription and resolves with what it replaces. Undefined if the answer to a later query
     * stands, or the subscription was deleted. `member` changes only where it is given.
     */
    async answer(
      name: SubscriptionName,
      { number }: StoreQuery,
      facts: Omit<SubscriptionFacts, 'member'> & Partial<Pick<SubscriptionFacts, 'member'>>,
      look_at: Date,
    ): Promise<Subscription | undefined> {
      const before = await model
        .findOneAndUpdate(
          { _id: keyOf(name), answered: { $lt: number } },
          { $set: { ...facts, look_at, answered: number } },
          { returnDocument: 'before' },
        )
        .lean<SubscriptionDocument>();
      return before ? asSubscription(before) : undefined;
    },
    /** Whether the answer to a query is the latest, and no later query is open. */
    async isLatest(name: SubscriptionName, { number }: StoreQuery): Promise<boolean> {
      return (await model.exists({ _id: keyOf(name), answered: number, asked: number })) !== null;
    },
    /** Leaves it to the next query to switch renewal on or off at the store. */
    async requestRenewal(name: SubscriptionName, renews: boolean, look_at: Date) {
      const requested = { $inc: { asked: 1 }, $set: { renews, look_at } };
      const changed = await model.updateOne(
        { _id: keyOf(name), renews: { $ne: renews } },
        { ...requested, $unset: { failing_since: '' } },
      );
      if (!changed.matchedCount) await model.updateOne({ _id: keyOf(name) }, requested);
    },
    /** Has the store queried again, whatever comes of a query that is not answered yet. */
    async hasten(name: SubscriptionName, look_at: Date) {
      await model.updateOne({ _id: keyOf(name) }, { $inc: { asked: 1 }, $set: { look_at } });
    },
    /** Sets when to query again after the answer to a query was applied, unless a later query began. */
    async settle(name: SubscriptionName, { number }: StoreQuery, look_at: Date | null) {
      await model.updateOne(
        { _id: keyOf(name), asked: number },
        { $set: { look_at }, $unset: { renews: '', failing_since: '' } },
      );
    },
    /** The same where renewal is still to be switched, at which the store may have failed since a time. */
    async repeat(name: SubscriptionName, { number }: StoreQuery, look_at: Date, failing_since?: Date) {
      const failing = failing_since && { failing_since };
      await model.updateOne({ _id: keyOf(name), asked: number }, { $set: { look_at, ...failing } });
    },
    /** Subscriptions whose store is to be queried, longest due first. */
    async findDue(store: StoreName, at: Date, limit: number): Promise<Subscription[]> {
      const due = await model
        .find({ store, look_at: { $ne: null, $lte: at } })
        .sort({ look_at: 1 })
        .limit(limit)
        .lean<SubscriptionDocument[]>();
      return due.map(asSubscription);
    },
    /** Deletes the subscriptions of an erased member. */
    async erase(member: number) {
      await model.deleteMany({ member });
    },
  };
}

/** Stores what stores said of subscriptions, one document per subscription. */
export type SubscriptionStore = ReturnType<typeof createSubscriptionStore>;
