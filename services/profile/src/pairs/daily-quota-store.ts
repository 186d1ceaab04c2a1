import { required } from '@covalence/runtime/schema';
import { documentsOf } from '@covalence/runtime/documents';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** Counts what a member may do only so often on one day. */
export type DailyQuotaStore = ReturnType<typeof createDailyQuotaStore>;

interface DailyQuota {
  _id: number;
  day: string;
  used: number;
  /** The other members of uses that name one. */
  others?: number[];
}

/** One use by default, several, or one for another member. That counts once a day, so that it can be repeated. */
export interface Use {
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
  const documents = documentsOf<DailyQuota>(model);

  const increment = async (_id: number, day: string, limit: number, { amount = 1, other }: Use) => {
    const isNew = other !== undefined && { others: { $ne: other } };
    const counted = await model
      .findOneAndUpdate(
        { _id, day: { $gte: day }, used: { $lt: limit }, ...isNew },
        { $inc: { used: amount }, ...(other !== undefined && { $push: { others: other } }) },
        { projection: { day: 1 } },
      )
      .lean<Pick<DailyQuota, 'day'>>();
    return counted?.day;
  };

  /** Counts the first use of a day, unless this day, or a later one of another time zone, has begun. */
  const begin = async (_id: number, day: string, { amount = 1, other }: Use) => {
    const isFirst = await unlessDuplicate(
      model.updateOne(
        { _id, day: { $lt: day } },
        { $set: { day, used: amount, ...(other !== undefined && { others: [other] }) } },
        { upsert: true },
      ),
    );
    return isFirst ? day : undefined;
  };

  const isCounted = async (_id: number, day: string, { other }: Use) =>
    other !== undefined && (await model.exists({ _id, day: { $gte: day }, others: other })) !== null;

  return {
    /**
     * Counts a use. Resolves with the day that it counts for, a later one after a change of the time zone; undefined when the limit is
     * reached. The last use of a day may exceed the limit by less than its amount.
     */
    take: async (member: number, day: string, limit: number, use: Use = {}): Promise<string | undefined> =>
      (await increment(member, day, limit, use)) ??
      (await begin(member, day, use)) ??
      // Another call began the day meanwhile.
      (await increment(member, day, limit, use)) ??
      ((await isCounted(member, day, use)) ? day : undefined),
    /** Takes back what counts for a day, unless a later one has begun. */
    giveBack: (member: number, day: string) =>
      documents.update({ _id: member, day, used: { $gt: 0 } }, { $inc: { used: -1 } }),
    read: (member: number): Promise<{ readonly day: string; readonly used: number } | undefined> =>
      documents.one({ _id: member }, { shown: { _id: 0, day: 1, used: 1 } }),
    async erase(member: number) {
      await documents.remove({ _id: member });
      await documents.updateAll({ others: member }, { $pull: { others: member } });
    },
  };
}
