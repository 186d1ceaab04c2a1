import { Schema, type Connection } from 'mongoose';
import { isDuplicateKey } from '../members/duplicate-key.ts';

/** An erasure under way; what it needs to be taken up again when the member's own document is gone. */
export interface Erasure {
  /** Numeric id of the member. */
  readonly _id: number;
  readonly member_id: string;
  readonly begun_at: Date;
}

/** The erasures that are not through yet. */
export interface ErasureStore {
  /** Notes that a member is being erased; noted already, nothing changes. */
  begin(erasure: Erasure): Promise<void>;
  /** Those under way, the longest first. */
  underWay(limit: number): Promise<Erasure[]>;
  /** Everything of the member is gone, and with this the last that named them. */
  end(id: number): Promise<void>;
}

const schema = new Schema<Erasure>(
  {
    _id: { type: Number, required: true },
    member_id: { type: String, required: true },
    begun_at: { type: Date, required: true },
  },
  { collection: 'erasures', versionKey: false, strict: 'throw' },
);

/** Creates the store on the `erasures` collection. */
export function createErasureStore(connection: Connection): ErasureStore {
  const model = connection.model('Erasure', schema);
  return {
    async begin(erasure) {
      try {
        await model.create(erasure);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    underWay: (limit) => model.find().sort({ begun_at: 1 }).limit(limit).lean<Erasure[]>(),
    async end(id) {
      await model.deleteOne({ _id: id });
    },
  };
}
