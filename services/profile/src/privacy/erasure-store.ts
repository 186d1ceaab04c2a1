import { documentsOf } from '@covalence/runtime/documents';
import { collectionSchema, required } from '@covalence/runtime/schema';
import type { PrivacySubject } from '@covalence/contract/peers/privacy-api';
import { hangingMembers } from '@covalence/contract/peers/operations-api';
import type { Connection } from 'mongoose';

/** An erasure in progress: what it needs to continue after the member's document is gone. */
interface Erasure {
  readonly _id: number;
  readonly member_id: string;
  readonly begun_at: Date;
  readonly tried_at: Date;
}

/** The erasures in progress. */
export type ErasureStore = ReturnType<typeof createErasureStore>;

const schema = collectionSchema<Erasure>(
  'erasures',
  required({ _id: Number, member_id: String, begun_at: Date, tried_at: Date }),
);

/** Erasures that are counted at most. */
const countLimit = 1_000;

/** Creates the store on the `erasures` collection. */
export function createErasureStore(connection: Connection) {
  const model = connection.model('Erasure', schema);
  const documents = documentsOf<Erasure>(model);
  return {
    async begin({ id, member_id }: PrivacySubject, at: Date) {
      const note = { $set: { member_id, tried_at: at }, $setOnInsert: { begun_at: at } };
      await documents.upsert({ _id: id }, note);
    },
    /** Erasures in progress, the least recently attempted first, so that a failing one goes behind the others. */
    underWay: (limit: number): Promise<Erasure[]> => documents.many({}, { sort: { tried_at: 1 }, limit }),
    /** Counts the erasures in progress and those that began by a time, and reads the oldest. */
    async state(before: Date) {
      const [oldest, begun, late] = await Promise.all([
        documents.many({}, { sort: { begun_at: 1 }, limit: hangingMembers, shown: { begun_at: 1 } }),
        model.countDocuments().limit(countLimit),
        model.countDocuments({ begun_at: { $lte: before } }).limit(countLimit),
      ]);
      const ids = oldest.filter(({ begun_at }) => begun_at <= before).map(({ _id }) => _id);
      return { due: begun, overdue: late, oldest: oldest[0]?.begun_at, ids };
    },
    end: (id: number) => documents.remove({ _id: id }),
  };
}
