import { tooManyRequests } from '@covalence/contract/failure';
import { hourMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';

/** The most of one staff account in an hour: comparisons, of which a slider makes many, and searches of judgment sets that run. */
export const mostPerHour = { comparisons: 600, judgedSearches: 4_000 } as const;

interface HourDocument {
  /** The account, what it did, and the hour. */
  _id: string;
  count: number;
  expires: Date;
}

const schema = new Schema<HourDocument>(
  { ...required({ _id: String, count: Number, expires: Date }) },
  { collection: 'staff_comparisons', versionKey: false },
);
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

/** Limits how many members' results a staff account reads, and what it costs. */
export type ComparisonLimitStore = ReturnType<typeof createComparisonLimitStore>;

/** Creates the limit, which all processes share. */
export function createComparisonLimitStore(connection: Connection, clock: Clock) {
  const model = connection.model('StaffComparisons', schema);
  return {
    /** Counts what an account does. Throws 429 beyond the limit of the hour, and counts none. */
    async use(staff: string, what: keyof typeof mostPerHour, count = 1): Promise<void> {
      const now = clock().getTime();
      const hour = Math.floor(now / hourMs);
      const end = (hour + 1) * hourMs;
      const _id = `${staff} ${what} ${hour}`;
      // An hour later: the clock of MongoDB may be ahead of this one, and deletes what has expired.
      const expires = new Date(end + hourMs);
      const update = { $inc: { count }, $setOnInsert: { expires } };
      const used = await retryOnDuplicateKey(() =>
        model
          .findOneAndUpdate({ _id }, update, { upsert: true, returnDocument: 'after' })
          .lean<HourDocument>(),
      );
      if (used.count <= mostPerHour[what]) return;
      await model.updateOne({ _id }, { $inc: { count: -count } });
      throw tooManyRequests((end - now) / 1_000);
    },
  };
}
