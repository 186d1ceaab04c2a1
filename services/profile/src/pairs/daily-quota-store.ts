import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** Counts what a member may do only so often on one day. */
export interface DailyQuotaStore {
  /** Counts one use; false when the limit is reached. */
  take(member: number, day: string, limit: number): Promise<boolean>;
  /** Counts one use for another member, at most once a day for each; false when the limit is reached. */
  takeOnce(member: number, day: string, limit: number, other: number): Promise<boolean>;
  /** Counts several uses; false when the limit is reached. The last call of a day may exceed the limit. */
  takeSome(member: number, day: string, limit: number, amount: number): Promise<boolean>;
  /** Takes back one use of an action that failed. */
  giveBack(member: number, day: string): Promise<void>;
  /** The uses of the last day with any. */
  read(member: number): Promise<{ readonly day: string; readonly used: number } | undefined>;
  /** Deletes a member's counts, and the member from the counts of others. */
  erase(member: number): Promise<void>;
}

interface DailyQuota {
  _id: number;
  /** YYYY-MM-DD where the member lives. */
  day: string;
  used: number;
  /** The other members of `takeOnce`. */
  others?: number[];
}

/** How many uses are counted, and for which other member. */
interface Use {
  readonly amount?: number;
  readonly other?: number;
}

const quotaSchema = new Schema<DailyQuota>(
  {
    _id: { type: Number, required: true },
    day: { type: String, required: true },
    used: { type: Number, required: true },
    others: { type: [Number], default: undefined },
  },
  { versionKey: false, strict: 'throw' },
);
quotaSchema.index({ others: 1 }, { sparse: true });

/**
 * Creates the store on a collection of its own: one document per member, each step one atomic write. The day never
 * goes back, so that a member who changes the time zone gets no second quota.
 */
export function createDailyQuotaStore(connection: Connection, collection: string): DailyQuotaStore {
  const model = connection.model<DailyQuota>(collection, quotaSchema, collection);

  const increment = async (_id: number, day: string, limit: number, { amount = 1, other }: Use) => {
    const isNew = other !== undefined && { others: { $ne: other } };
    const { matchedCount } = await model.updateOne(
      { _id, day: { $gte: day }, used: { $lt: limit }, ...isNew },
      { $inc: { used: amount }, ...(other !== undefined && { $push: { others: other } }) },
    );
    return matchedCount > 0;
  };

  /** Counts the first use of a day; false when this day, or a later one of another time zone, has begun. */
  const begin = (_id: number, day: string, { amount = 1, other }: Use) =>
    unlessDuplicate(
      model.updateOne(
        { _id, day: { $lt: day } },
        { $set: { day, used: amount, ...(other !== undefined && { others: [other] }) } },
        { upsert: true },
      ),
    );

  const take = async (member: number, day: string, limit: number, use: Use = {}) =>
    (await increment(member, day, limit, use)) ||
    (await begin(member, day, use)) ||
    // Another call began the day meanwhile.
    increment(member, day, limit, use);

  return {
    take: (member, day, limit) => take(member, day, limit),
    takeSome: (member, day, limit, amount) => take(member, day, limit, { amount }),
    takeOnce: async (member, day, limit, other) =>
      (await take(member, day, limit, { other })) ||
      (await model.exists({ _id: member, day: { $gte: day }, others: other })) !== null,
    async giveBack(member, day) {
      await model.updateOne({ _id: member, day: { $gte: day }, used: { $gt: 0 } }, { $inc: { used: -1 } });
    },
    async read(member) {
      return (await model.findById(member, { _id: 0, day: 1, used: 1 }).lean<DailyQuota>()) ?? undefined;
    },
    async erase(member) {
      await model.deleteOne({ _id: member });
      await model.updateMany({ others: member }, { $pull: { others: member } });
    },
  };
}
