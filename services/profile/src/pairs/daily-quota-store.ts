import { required } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** Counts what a member may do only so often on one day. */
export type DailyQuotaStore = ReturnType<typeof createDailyQuotaStore>;

interface DailyQuota {
  _id: number;
  day: string;
  used: number;
  /** The other members of `takeOnce`. */
  others?: number[];
}

interface Use {
  readonly amount?: number;
  readonly other?: number;
}

const quotaSchema = new Schema<DailyQuota>(
  {
    ...required({ _id: Number, day: String, used: Number }),
    others: { type: [Number], default: undefined },
  },
  { versionKey: false, strict: 'throw' },
);
quotaSchema.index({ others: 1 }, { sparse: true });

/**
 * Creates the store on a collection of its own: one document per member, each step one atomic write. The day never
 * goes back, so that a member who changes the time zone gets no second quota.
 */
export function createDailyQuotaStore(connection: Connection, collection: string) {
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
    take: (member: number, day: string, limit: number): Promise<boolean> => take(member, day, limit),
    /** Counts several uses; false when the limit is reached. The last call of a day may exceed the limit. */
    takeSome: (member: number, day: string, limit: number, amount: number): Promise<boolean> =>
      take(member, day, limit, { amount }),
    /** Counts one use for another member, at most once a day for each; false when the limit is reached. */
    takeOnce: async (member: number, day: string, limit: number, other: number): Promise<boolean> =>
      (await take(member, day, limit, { other })) ||
      (await model.exists({ _id: member, day: { $gte: day }, others: other })) !== null,
    async giveBack(member: number, day: string) {
      await model.updateOne({ _id: member, day: { $gte: day }, used: { $gt: 0 } }, { $inc: { used: -1 } });
    },
    async read(member: number): Promise<{ readonly day: string; readonly used: number } | undefined> {
      return (await model.findById(member, { _id: 0, day: 1, used: 1 }).lean<DailyQuota>()) ?? undefined;
    },
    async erase(member: number) {
      await model.deleteOne({ _id: member });
      await model.updateMany({ others: member }, { $pull: { others: member } });
    },
  };
}
