import { packIds, unpackIds } from './packed-ids.ts';
import { isListed, listNames, type Entry } from './relation.ts';
import type { Head } from './relation-store.ts';

/** Most relations of a document on average: whatever changes in one is read and written with all of it. */
const perBucket = 32_768;

/** How long an entry that excludes nobody is kept, so that an older state that comes late cannot return: longer than any call. */
const graceMs = 600_000;

/** How far ahead the passes that will end are listed. */
export const endingMs = 6 * 3_600_000;

/** How many buckets so many relations take: 1, 2, 4 …, never fewer than before. */
export function bucketsFor(total: number, atLeast = 1): number {
  return total > atLeast * perBucket ? bucketsFor(total, atLeast * 2) : atLeast;
}

/** Document names. */
export const bucketId = (viewer: number, generation: string, bucket: number): string =>
  `${viewer}.${generation}.${bucket}`;

/** Every document of a head's generation. */
export const documentsOf = (viewer: number, { generation, buckets }: Head): string[] =>
  Array.from({ length: buckets }, (_, bucket) => bucketId(viewer, generation, bucket));

/** Everything that is kept of a viewer, the head too. */
export const allDocumentsOf = (viewer: number, head: Head): string[] => [
  String(viewer),
  ...documentsOf(viewer, head),
  ...head.retired,
];

/**
 * Entries with changes in them: the newer version of each wins, so that changes may come twice and in any order. Those
 * that exclude nobody any more go when they are old.
 */
export function merge(entries: readonly Entry[], changes: readonly Entry[], now: number): Entry[] {
  const byOther = new Map(entries.map((entry) => [entry[0], entry]));
  for (const change of changes) {
    const kept = byOther.get(change[0]);
    if (!kept || kept[1] <= change[1]) byOther.set(change[0], change);
  }
  return [...byOther.values()].filter((entry) => isListed(entry, 'all', now) || entry[1] > now - graceMs);
}

/** Entries by their bucket; every bucket named in `among` is there. */
export function inBuckets(
  entries: readonly Entry[],
  buckets: number,
  among: Iterable<number>,
): Map<number, Entry[]> {
  const groups = new Map<number, Entry[]>([...among].map((bucket) => [bucket, []]));
  for (const entry of entries) groups.get(entry[0] % buckets)?.push(entry);
  return groups;
}

/**
 * The lists once some buckets have new entries: of the others everyone stays who was listed. Lists of nobody are left out.
 */
export function listsWith(
  before: Head['lists'],
  entries: readonly Entry[],
  isWritten: (other: number) => boolean,
  now: number,
): Head['lists'] {
  const lists = listNames.map((list) => {
    const packed = before[list];
    const stay = packed ? unpackIds(packed).filter((other) => !isWritten(other)) : [];
    const come = entries.filter((entry) => isListed(entry, list, now)).map(([other]) => other);
    return [list, packIds([...stay, ...come])] as const;
  });
  return Object.fromEntries(lists.filter(([, { pages }]) => pages.length > 0));
}

/** Passes that end before a time. */
export const endingBefore = (entries: readonly Entry[], now: number, by: number): Entry[] =>
  entries.filter(([, , , until]) => until > now && until <= by);
