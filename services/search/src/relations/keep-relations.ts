import { randomUUID } from 'node:crypto';
import {
  allDocumentsOf,
  bucketId,
  bucketsFor,
  documentsOf,
  endingBefore,
  endingMs,
  inBuckets,
  listsWith,
  merge,
} from './merge-relations.ts';
import type { Entry } from './relation.ts';
import type { Head, Place, RelationStore } from './relation-store.ts';

/** A head as it was read, to be written over. */
export interface ReadHead {
  readonly head: Head;
  readonly place: Place;
}

/** Changes of a viewer's relations that are to be kept. */
export interface KeptChanges {
  readonly viewer: number;
  readonly before: ReadHead | null;
  readonly changes: readonly Entry[];
  /** Every change up to this version is among them or kept already. */
  readonly asOf: number;
  readonly now: number;
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

interface Plan {
  readonly generation: string;
  readonly buckets: number;
  /** Buckets that are written. */
  readonly among: readonly number[];
  /** Whether the documents are new ones, in place of those before. */
  readonly fresh: boolean;
}

/** Which documents change: those of the changed members, or all of them when they get too large or passes are ending. */
function planOf({ before, changes, now }: KeptChanges): Plan {
  const head = before?.head;
  const buckets = bucketsFor((head?.total ?? 0) + changes.length, head?.buckets);
  const fresh = head?.buckets !== buckets;
  const all = fresh || now >= (head?.ending_by ?? 0);
  const changed = new Set(changes.map(([other]) => other % buckets));
  return {
    generation: fresh || !head ? randomUUID() : head.generation,
    buckets,
    fresh,
    among: all ? range(buckets) : [...changed],
  };
}

/**
 * Writes changes into a viewer's kept relations and returns the new head, or null where another process did so at the
 * same time, which is as good: what a search does not find kept, it is told by profile. Buckets are written over what was
 * read, the head, which has the lists, comes last; so whatever breaks off leaves the old lists and some newer buckets, and
 * both are covered by the changes that follow the old head.
 */
export async function keepRelations(kept: KeptChanges, store: RelationStore): Promise<Head | null> {
  const { viewer, before, changes, asOf, now } = kept;
  const head = before?.head;
  const plan = planOf(kept);
  const { generation, buckets, among, fresh } = plan;
  const read = head
    ? (fresh ? range(head.buckets) : among).map((one) => bucketId(viewer, head.generation, one))
    : [];
  if (!head) await store.ensure();
  const found = await store.readBuckets(read);
  if (head && found.size < read.length) {
    // Documents went missing: begin anew with the next search.
    await store.delete(allDocumentsOf(viewer, head));
    return null;
  }
  const old = [...found.values()].flatMap(({ entries }) => entries);
  const merged = merge(old, changes, now);
  const groups = inBuckets(merged, buckets, among);
  const written = [...groups].map(([bucket, entries]) => {
    const id = bucketId(viewer, generation, bucket);
    return { id, entries, over: fresh ? undefined : found.get(id)?.place };
  });
  const isWritten = (other: number) => fresh || groups.has(other % buckets);
  const due = !head || fresh || now >= head.ending_by;
  const endingBy = due ? now + endingMs : head.ending_by;
  const next: Head = {
    as_of: Math.max(asOf, head?.as_of ?? 0),
    generation,
    buckets,
    total: (fresh ? 0 : (head?.total ?? 0) - old.length) + merged.length,
    lists: listsWith(head?.lists ?? {}, merged, isWritten, now),
    ending: [
      ...(head?.ending ?? []).filter(([other]) => !isWritten(other)),
      ...endingBefore(merged, now, endingBy),
    ],
    ending_by: endingBy,
    retired: fresh && head ? documentsOf(viewer, head) : [],
  };
  let isKept = false;
  try {
    if (head?.retired.length) await store.delete(head.retired);
    isKept = (await store.writeBuckets(written)) && (await store.writeHead(viewer, next, before?.place));
  } finally {
    // No head names them, and so nobody would delete them. One that is there although its write failed begins anew.
    if (fresh && !isKept) await store.delete(documentsOf(viewer, next));
  }
  return isKept ? next : null;
}
