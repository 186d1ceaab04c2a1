import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Collection } from 'mongoose';
import { randomUUID } from 'node:crypto';

/** Parts of a document that says nothing of a member any more; add `anonymizedFields` and `anonymizedIndex` to its schema. */
export interface Anonymized {
  /** On the original: the id of the copy that replaces it. */
  anonymized_as?: string;
  /** On the copy, while the original is there: the value of the unique part, which only one of them can have. */
  left?: string;
}

/** The schema parts of `Anonymized`. */
export const anonymizedFields = { anonymized_as: { type: String }, left: { type: String } };

/** The index by which a anonymization that a crash ended is found. */
export const anonymizedIndex = [{ left: 1 }, { sparse: true }] as const;

/** The member id of lines that are nobody's. */
export const nobody = 0;

/** A document as it is stored. */
export interface Owned extends Anonymized {
  _id: string;
  member: number;
  [part: string]: unknown;
}

/** How the documents of a collection are anonymized. */
export interface Anonymization {
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
async function finish({ collection, unique }: Anonymization): Promise<void> {
  if (!unique) return;
  for (const { _id, left } of await collection.find({ left: { $exists: true } }).toArray()) {
    const change = { $set: { [unique]: left }, $unset: { left: 1 as const } };
    // The original is there still, and will be replaced.
    await unlessDuplicate(collection.updateOne({ _id }, change));
  }
}

/** The id of a document's copy: the first that it was given, whoever else is replacing it; undefined where it is replaced. */
async function copyIdOf(_id: string, { collection }: Anonymization): Promise<string | undefined> {
  const fresh = { $set: { anonymized_as: `erased:${randomUUID()}` } };
  await collection.updateOne({ _id, anonymized_as: { $exists: false } }, fresh);
  return (await collection.findOne({ _id }))?.anonymized_as;
}

async function replace(document: Owned, anonymization: Anonymization): Promise<void> {
  const { collection, keep, unique } = anonymization;
  const { _id } = document;
  const kept = keep(document);
  if (kept) {
    const anonymized_as = await copyIdOf(_id, anonymization);
    if (anonymized_as === undefined) return;
    const left = unique === undefined ? undefined : document[unique];
    const copy = { ...kept, _id: anonymized_as, member: nobody, ...(typeof left === 'string' && { left }) };
    await unlessDuplicate(collection.insertOne(copy));
  }
  await collection.deleteOne({ _id });
}

/**
 * Replaces every document of a member by one under a random id that says what `keep` leaves of it. Ids cannot change, so
 * it is a copy whose id the original remembers: a crash anywhere is made good by the next call, and nothing is doubled, also not
 * by two calls at once. What is written meanwhile is replaced, too.
 */
export async function anonymize(member: number, anonymization: Anonymization): Promise<void> {
  await finish(anonymization);
  for (;;) {
    const documents = await anonymization.collection.find({ member }).toArray();
    if (!documents.length) break;
    for (const document of documents) await replace(document, anonymization);
  }
  await finish(anonymization);
}
