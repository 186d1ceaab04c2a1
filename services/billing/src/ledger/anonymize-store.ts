import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import type { Collection } from 'mongoose';
import { randomUUID } from 'node:crypto';

/** Fields of documents that can be anonymized; add `anonymizedFields` and `anonymizedIndex` to the schema. */
export interface Anonymized {
  /** On the original: the id of the copy that replaces it. */
  anonymized_as?: string;
  /** On the copy, until the original is deleted: the value of the unique field. */
  left?: string;
}

/** The schema of `Anonymized`. */
export const anonymizedFields = { anonymized_as: { type: String }, left: { type: String } };

/** The index that finds interrupted anonymizations. */
export const anonymizedIndex = [{ left: 1 }, { sparse: true }] as const;

/** The member id of anonymized documents. */
export const nobody = 0;

/** A stored document. */
export interface Owned extends Anonymized {
  _id: string;
  member: number;
  [part: string]: unknown;
}

/** Options of an anonymization. */
export interface Anonymization {
  readonly collection: Collection<Owned>;
  /** The fields to keep of a document; undefined deletes it. */
  readonly keep: (document: Owned) => Record<string, unknown> | undefined;
  /** A unique string field to keep. */
  readonly unique?: string;
}

/** The named fields of a document. */
export function pick(document: Owned, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}

/** Restores the unique field of copies whose original is deleted. */
async function finish({ collection, unique }: Anonymization): Promise<void> {
  if (!unique) return;
  for (const { _id, left } of await collection.find({ left: { $exists: true } }).toArray()) {
    const change = { $set: { [unique]: left }, $unset: { left: 1 as const } };
    // Skip a copy whose original still exists.
    await unlessDuplicate(collection.updateOne({ _id }, change));
  }
}

/** Assigns the id of a document's copy once, also for concurrent calls; undefined if the document is already replaced. */
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
 * Replaces every document of a member by a copy with a random id and the fields that `keep` returns. The original stores the id of its
 * copy, so repeated, interrupted and concurrent calls make one copy. Documents that are written meanwhile are replaced, too.
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
