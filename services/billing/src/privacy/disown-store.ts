import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Collection } from 'mongoose';
import { randomUUID } from 'node:crypto';

/** Parts of a document that says nothing of a member any more; add `disownedFields` and `disownedIndex` to its schema. */
export interface Disowned {
  /** On the original: the id of the copy that replaces it. */
  disowned_as?: string;
  /** On the copy, while the original is there: the value of the unique part, which only one of them can have. */
  left?: string;
}

/** The schema parts of `Disowned`. */
export const disownedFields = { disowned_as: { type: String }, left: { type: String } };

/** The index by which a disowning that a crash ended is found. */
export const disownedIndex = [{ left: 1 }, { sparse: true }] as const;

/** The member id of lines that are nobody's. */
export const nobody = 0;

/** A document as it is stored. */
export interface Owned extends Disowned {
  _id: string;
  member: number;
  [part: string]: unknown;
}

/** How the documents of a collection are disowned. */
export interface Disowning {
  readonly collection: Collection<Owned>;
  /** What stays of a document beside its id, or undefined where nothing has to. */
  readonly keep: (document: Owned) => Record<string, unknown> | undefined;
  /** A text that is unique in the collection and stays. */
  readonly unique?: string;
}

/** The parts of a document that have one of these names. */
export function pick(document: Owned, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}

/** Copies whose original is gone get their unique part. */
async function finish({ collection, unique }: Disowning): Promise<void> {
  if (!unique) return;
  for (const { _id, left } of await collection.find({ left: { $exists: true } }).toArray()) {
    const change = { $set: { [unique]: left }, $unset: { left: 1 as const } };
    // The original is there still, and will be replaced.
    await unlessDuplicate(collection.updateOne({ _id }, change));
  }
}

/** The id of a document's copy: the first that it was given, whoever else is replacing it; undefined where it is replaced. */
async function copyIdOf(_id: string, { collection }: Disowning): Promise<string | undefined> {
  const fresh = { $set: { disowned_as: `erased:${randomUUID()}` } };
  await collection.updateOne({ _id, disowned_as: { $exists: false } }, fresh);
  return (await collection.findOne({ _id }))?.disowned_as;
}

async function replace(document: Owned, disowning: Disowning): Promise<void> {
  const { collection, keep, unique } = disowning;
  const { _id } = document;
  const kept = keep(document);
  if (kept) {
    const disowned_as = await copyIdOf(_id, disowning);
    if (disowned_as === undefined) return;
    const left = unique === undefined ? undefined : document[unique];
    const copy = { ...kept, _id: disowned_as, member: nobody, ...(typeof left === 'string' && { left }) };
    await unlessDuplicate(collection.insertOne(copy));
  }
  await collection.deleteOne({ _id });
}

/**
 * Replaces every document of a member by one under a random id that says what `keep` leaves of it. Ids cannot change, so
 * it is a copy whose id the original remembers: a crash anywhere is made good by the next call, and nothing is doubled, also not
 * by two calls at once. What is written meanwhile is replaced, too.
 */
export async function disown(member: number, disowning: Disowning): Promise<void> {
  await finish(disowning);
  for (;;) {
    const documents = await disowning.collection.find({ member }).toArray();
    if (!documents.length) break;
    for (const document of documents) await replace(document, disowning);
  }
  await finish(disowning);
}
