import { utcDay } from '@covalence/contract/time';
import { collectionSchema, required } from '@covalence/runtime/schema';
import { documentsOf } from '@covalence/runtime/documents';
import type { Connection } from 'mongoose';

interface HitsDocument {
  /** `<affiliateid>:<day>` */
  readonly _id: string;
  readonly affiliateid: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly hits: number;
  /** Visits while the affiliate was suspended. */
  readonly redirected: number;
}

/** Counts visits by affiliate and day, so that the number of documents does not depend on the number of visits. */
export type HitStore = ReturnType<typeof createHitStore>;

const hitsSchema = collectionSchema<HitsDocument>(
  'affiliate_hits',
  required({ _id: String, affiliateid: String, day: String, hits: Number, redirected: Number }),
);
hitsSchema.index({ affiliateid: 1, day: 1 });

/** Creates the store on the `affiliate_hits` collection. */
export function createHitStore(connection: Connection) {
  const documents = documentsOf<HitsDocument>(connection.model('AffiliateHits', hitsSchema));
  return {
    async count(affiliateid: string, redirected: boolean, at: Date) {
      const day = utcDay(at);
      const hit = { $set: { affiliateid, day }, $inc: { hits: 1, redirected: redirected ? 1 : 0 } };
      await documents.upsert({ _id: `${affiliateid}:${day}` }, hit);
    },
  };
}
