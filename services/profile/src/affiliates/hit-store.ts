import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** The visits from an affiliate on one day. */
export interface AffiliateHits {
  readonly affiliateid: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly hits: number;
  /** Visits while the affiliate was suspended. */
  readonly redirected: number;
}

/** Counts visits by affiliate and day, so that the number of documents does not depend on the number of visits. */
export interface HitStore {
  count(affiliateid: string, redirected: boolean, at: Date): Promise<void>;
  /** An affiliate's days, oldest first. */
  days(affiliateid: string): Promise<AffiliateHits[]>;
}

type HitsDocument = { _id: string } & AffiliateHits;

const hitsSchema = new Schema<HitsDocument>(
  {
    _id: { type: String, required: true },
    affiliateid: { type: String, required: true },
    day: { type: String, required: true },
    hits: { type: Number, required: true },
    redirected: { type: Number, required: true },
  },
  { collection: 'affiliate_hits', versionKey: false, strict: 'throw' },
);
hitsSchema.index({ affiliateid: 1, day: 1 });

/** Creates the store on the `affiliate_hits` collection. */
export function createHitStore(connection: Connection): HitStore {
  const model = connection.model('AffiliateHits', hitsSchema);
  return {
    async count(affiliateid, redirected, at) {
      const day = at.toISOString().slice(0, 10);
      await retryOnDuplicateKey(() =>
        model.updateOne(
          { _id: `${affiliateid}:${day}` },
          { $set: { affiliateid, day }, $inc: { hits: 1, redirected: redirected ? 1 : 0 } },
          { upsert: true },
        ),
      );
    },
    days: (affiliateid) => model.find({ affiliateid }, { _id: 0 }).sort({ day: 1 }).lean<AffiliateHits[]>(),
  };
}
