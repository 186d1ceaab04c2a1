import type { PrivacySubject } from '@covalence/contract/internal/privacy-api';
import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** An erasure in progress: what it needs to continue after the member's document is gone. */
export interface Erasure {
  /** Numeric id of the member. */
  readonly _id: number;
  readonly member_id: string;
  readonly begun_at: Date;
  /** When it was last attempted. */
  readonly tried_at: Date;
}

/** The erasures in progress. */
export interface ErasureStore {
  /** Notes that the erasure of a member is attempted now. */
  begin(subject: PrivacySubject, at: Date): Promise<void>;
  /** Erasures in progress, the least recently attempted first, so that a failing one goes behind the others. */
  underWay(limit: number): Promise<Erasure[]>;
  /** Deletes the note: everything of the member is erased. */
  end(id: number): Promise<void>;
}

const schema = new Schema<Erasure>(
  {
    _id: { type: Number, required: true },
    member_id: { type: String, required: true },
    begun_at: { type: Date, required: true },
    tried_at: { type: Date, required: true },
  },
  { collection: 'erasures', versionKey: false, strict: 'throw' },
);

/** Creates the store on the `erasures` collection. */
export function createErasureStore(connection: Connection): ErasureStore {
  const model = connection.model('Erasure', schema);
  return {
    async begin({ id, member_id }, at) {
      const note = { $set: { member_id, tried_at: at }, $setOnInsert: { begun_at: at } };
      await retryOnDuplicateKey(() => model.updateOne({ _id: id }, note, { upsert: true }));
    },
    underWay: (limit) => model.find().sort({ tried_at: 1 }).limit(limit).lean<Erasure[]>(),
    async end(id) {
      await model.deleteOne({ _id: id });
    },
  };
}
