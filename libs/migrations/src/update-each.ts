import type { mongo } from 'mongoose';
import type { MigrationWork } from './migration.ts';

/** A document whose writers compare versions. */
interface Versioned extends mongo.Document {
  _id: number;
  version: number;
}

/** The documents to change, and how. */
export interface EachUpdate<Document extends Versioned> {
  readonly collection: string;
  /** Selects candidates. */
  readonly filter: mongo.Filter<Document>;
  /** Returns the fields to set; undefined if the document needs no change. */
  readonly set: (document: Document) => Partial<Document> | undefined;
}

const batchSize = 500;
/** Further passes only see documents that were written meanwhile. */
const passes = 10;

async function pass<Document extends Versioned>(
  { collection, signal }: MigrationWork,
  { collection: name, filter, set }: EachUpdate<Document>,
): Promise<{ wanted: number; written: number }> {
  const documents = collection<Versioned>(name);
  const done = { wanted: 0, written: 0 };
  for (let last: number | undefined; ;) {
    signal.throwIfAborted();
    const page: mongo.Filter<Versioned> = last === undefined ? {} : { _id: { $gt: last } };
    const found = await documents
      .find({ $and: [filter as mongo.Filter<Versioned>, page] })
      .sort({ _id: 1 })
      .limit(batchSize)
      .toArray();
    last = found.at(-1)?._id;
    if (last === undefined) return done;
    const writes = found.flatMap((document) => {
      const fields = set(document as Document);
      const { _id, version } = document;
      return fields ? [{ updateOne: { filter: { _id, version }, update: { $set: fields } } }] : [];
    });
    if (!writes.length) continue;
    done.wanted += writes.length;
    done.written += (await documents.bulkWrite(writes, { ordered: false })).matchedCount;
  }
}

/**
 * Updates every document that needs it, in batches by `_id`, and resolves with the count. A document that
 * changes concurrently is skipped and read again. Rejects if documents still need the change after the last
 * pass.
 */
export async function updateEach<Document extends Versioned>(
  work: MigrationWork,
  update: EachUpdate<Document>,
): Promise<number> {
  let total = 0;
  for (let round = 0; round < passes; round++) {
    const { wanted, written } = await pass(work, update);
    total += written;
    if (!wanted) return total;
    work.print(`${update.collection}: ${total} written`);
  }
  throw new Error(`${update.collection}: documents still need the change after ${passes} passes`);
}
