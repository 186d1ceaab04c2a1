import { documentsOf } from '@covalence/runtime/documents';
import { collectionSchema, required, subdocument } from '@covalence/runtime/schema';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** The count of one measure on a site in a month. It identifies no member. */
export interface Count {
  readonly siteid: number;
  readonly measure: string;
  /** The category within the measure; `total` sums all of them. */
  readonly category: string;
  readonly count: number;
  /** The number of cases by duration in whole hours. */
  readonly hours?: Readonly<Record<string, number>>;
}

/** The counts of a month. They only grow until the month is over, and then never change. */
export interface CountedMonth {
  /** For example `2026-11`, in UTC. */
  readonly _id: string;
  /** End of the counted period. */
  readonly up_to: Date;
  readonly closed?: boolean;
  /** The counted measures, in the order of a report. */
  readonly measures: readonly string[];
  readonly counts: readonly Count[];
}

const schema = collectionSchema<CountedMonth>('transparency-months', {
  ...required({ _id: String, up_to: Date }),
  closed: Boolean,
  measures: [String],
  counts: [
    subdocument({
      ...required({ siteid: Number, measure: String, category: String, count: Number }),
      hours: Schema.Types.Mixed,
    }),
  ],
});

/** Creates the store on the `transparency-months` collection. */
export function createTransparencyStore(connection: Connection) {
  const model = connection.model('TransparencyMonth', schema);
  const documents = documentsOf<CountedMonth>(model);
  return {
    newest: (): Promise<CountedMonth | undefined> => documents.one({}, { sort: { _id: -1 } }),
    /** Begins a month, unless it has begun. */
    async begin(month: string, from: Date, measures: readonly string[]) {
      await unlessDuplicate(model.create({ _id: month, up_to: from, measures: [...measures], counts: [] }));
    },
    /** Replaces the counts of a month, unless another process has counted on since it was read. */
    async replace(
      { _id, up_to }: CountedMonth,
      { closed, ...counted }: Pick<CountedMonth, 'up_to' | 'counts' | 'closed'>,
    ): Promise<boolean> {
      const asRead = { _id, up_to, closed: { $ne: true } };
      const { matchedCount } = await model.updateOne(asRead, {
        $set: { ...counted, ...(closed && { closed }) },
      });
      return matchedCount === 1;
    },
    /** The months of a period that are over and counted, in order. */
    closed: (from: string, to: string): Promise<CountedMonth[]> =>
      documents.many({ _id: { $gte: from, $lte: to }, closed: true }, { sort: { _id: 1 } }),
  };
}
