import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { storeNames, type StoreName, type StoreState } from './store.ts';

/** What counts of a subscription for its member. */
export interface SubscriptionFacts extends Pick<
  StoreState,
  'phase' | 'started_at' | 'expires_at' | 'autorenew' | 'currency'
> {
  readonly member: number;
  readonly package_id: number;
  readonly rate_id: number;
}

/** A subscription at a store, as the store said last. */
export interface Subscription extends SubscriptionFacts {
  readonly store: StoreName;
  /** The store's name of it. */
  readonly reference: string;
  /** When the store is asked again; null if never. */
  readonly look_at: Date | null;
}

interface SubscriptionDocument extends Subscription {
  _id: string;
  /** The number of times that the store was asked, and of the answer that stands. */
  asked: number;
  answered: number;
}

const schema = new Schema<SubscriptionDocument>(
  {
    ...required({ _id: String, reference: String, member: Number, package_id: Number, rate_id: Number }),
    store: { type: String, enum: storeNames, required: true },
    phase: { type: String, enum: ['running', 'waiting', 'pending', 'ended'], required: true },
    ...required({ started_at: Date, expires_at: Date, autorenew: Boolean, currency: String }),
    look_at: { type: Date, default: null },
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

/** A question to the store: its number orders the answers. */
export interface Question {
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
    /** Numbers a question. Until it is answered, the subscription is due at `look_at`: the process may die meanwhile. */
    async question(name: SubscriptionName, look_at: Date): Promise<Question> {
      const change = { $inc: { asked: 1 }, $set: { look_at } };
      const found = await model
        .findOneAndUpdate({ _id: keyOf(name) }, change, { returnDocument: 'after' })
        .lean<SubscriptionDocument>();
      return { number: found?.asked ?? 0, known: found ? asSubscription(found) : undefined };
    },
    /**
     * Stores an answer, unless that to a later question stands, and resolves with the members whose memberships it touches. A
     * claim sets the member in any case; an answer without one leaves the member as it is. Undefined if another process stored or
     * deleted the subscription meanwhile: ask again.
     */
    async answer(
      name: SubscriptionName,
      { number, known }: Question,
      { member, ...facts }: SubscriptionFacts,
      { look_at, isClaim }: { readonly look_at: Date; readonly isClaim: boolean },
    ): Promise<number[] | undefined> {
      const _id = keyOf(name);
      if (!known) {
        const document = { _id, ...name, member, ...facts, look_at, asked: 0, answered: 0 };
        return (await unlessDuplicate(model.create(document))) ? [member] : undefined;
      }
      const claim = isClaim ? { $set: { member } } : {};
      const before = await model
        .findOneAndUpdate({ _id }, claim, { returnDocument: 'before' })
        .lean<SubscriptionDocument>();
      if (!before) return undefined;
      const after = await model
        .findOneAndUpdate(
          { _id, answered: { $lt: number } },
          { $set: { ...facts, look_at, answered: number } },
          { returnDocument: 'after' },
        )
        .lean<SubscriptionDocument>();
      return [...new Set([before.member, after?.member ?? before.member, ...(isClaim ? [member] : [])])];
    },
    /** Sets when to ask again after the answer to a question was applied, unless a later question was asked. */
    async settle(name: SubscriptionName, { number }: Question, look_at: Date | null) {
      await model.updateOne({ _id: keyOf(name), asked: number }, { $set: { look_at } });
    },
    /** Subscriptions of a store whose state is to be asked, longest due first. */
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
