import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** How much of something a member has done today: likes, views of profiles, new conversations. */
export interface DailyQuotaStore {
  /** Takes one of the day's; false when none is left. */
  take(member: number, day: string, limit: number): Promise<boolean>;
  /** Takes one for another member, unless that was done already this day; false when none is left for them. */
  takeOnce(member: number, day: string, limit: number, other: number): Promise<boolean>;
  /** Takes several; false when none is left. The last of a day may be more than are left. */
  takeSome(member: number, day: string, limit: number, amount: number): Promise<boolean>;
  /** Gives one back that was taken for something that came to nothing. */
  giveBack(member: number, day: string): Promise<void>;
  /** What was counted last. */
  read(member: number): Promise<{ readonly day: string; readonly given: number } | undefined>;
  /** Forgets a member, also where others took one for them. */
  erase(member: number): Promise<void>;
}

interface DailyQuota {
  _id: number;
  /** YYYY-MM-DD where the member lives. */
  day: string;
  given: number;
  /** The other members of `takeOnce`. */
  others?: number[];
}

/** What is taken at once, and for whom. */
interface Taken {
  readonly amount?: number;
  readonly other?: number;
}

const quotaSchema = new Schema<DailyQuota>(
  {
    _id: { type: Number, required: true },
    day: { type: String, required: true },
    given: { type: Number, required: true },
    others: { type: [Number], default: undefined },
  },
  { versionKey: false, strict: 'throw' },
);
quotaSchema.index({ others: 1 }, { sparse: true });

/**
 * Creates the store on a collection of its own: one document per member, each step one atomic write. A day that has begun
 * stays: who moves to a time zone where it is still yesterday gets no second share.
 */
export function createDailyQuotaStore(connection: Connection, collection: string): DailyQuotaStore {
  const model = connection.model<DailyQuota>(collection, quotaSchema, collection);

  const increment = async (_id: number, day: string, limit: number, { amount = 1, other }: Taken) => {
    const isNew = other !== undefined && { others: { $ne: other } };
    const { matchedCount } = await model.updateOne(
      { _id, day: { $gte: day }, given: { $lt: limit }, ...isNew },
      { $inc: { given: amount }, ...(other !== undefined && { $push: { others: other } }) },
    );
    return matchedCount > 0;
  };

  /** The first of a day; false when it, or by another time zone a later one, has begun already. */
  const begin = (_id: number, day: string, { amount = 1, other }: Taken) =>
    unlessDuplicate(
      model.updateOne(
        { _id, day: { $lt: day } },
        { $set: { day, given: amount, ...(other !== undefined && { others: [other] }) } },
        { upsert: true },
      ),
    );

  const take = async (member: number, day: string, limit: number, taken: Taken = {}) =>
    (await increment(member, day, limit, taken)) ||
    (await begin(member, day, taken)) ||
    // Another call began the day in between.
    increment(member, day, limit, taken);

  return {
    take: (member, day, limit) => take(member, day, limit),
    takeSome: (member, day, limit, amount) => take(member, day, limit, { amount }),
    takeOnce: async (member, day, limit, other) =>
      (await take(member, day, limit, { other })) ||
      (await model.exists({ _id: member, day: { $gte: day }, others: other })) !== null,
    async giveBack(member, day) {
      await model.updateOne({ _id: member, day: { $gte: day }, given: { $gt: 0 } }, { $inc: { given: -1 } });
    },
    async read(member) {
      return (await model.findById(member, { _id: 0, day: 1, given: 1 }).lean<DailyQuota>()) ?? undefined;
    },
    async erase(member) {
      await model.deleteOne({ _id: member });
      await model.updateMany({ others: member }, { $pull: { others: member } });
    },
  };
}
