import type { PrivacySubject } from '@covalence/contract/internal/privacy-api';
import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** An erasure under way; what it needs to be taken up again when the member's own document is gone. */
export interface Erasure {
  /** Numeric id of the member. */
  readonly _id: number;
  readonly member_id: string;
  readonly begun_at: Date;
  /** When it was last tried. */
  readonly tried_at: Date;
}

/** The erasures that are not through yet. */
export interface ErasureStore {
  /** Notes that a member is being erased, and that it is tried now. */
  begin(subject: PrivacySubject, at: Date): Promise<void>;
  /** Those under way, the longest untried first: one that fails goes behind the others. */
  underWay(limit: number): Promise<Erasure[]>;
  /** Everything of the member is gone, and with this the last that named them. */
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
