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

/** The head of whom nothing is kept yet. */
const none: Head = {
  as_of: 0,
  generation: '',
  buckets: 0,
  total: 0,
  lists: {},
  ending: [],
  ending_by: 0,
  retired: [],
};

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
function planOf(head: Head, { changes, now }: KeptChanges): Plan {
  const buckets = bucketsFor(head.total + changes.length, head.buckets || 1);
  const fresh = head.buckets !== buckets;
  const all = fresh || now >= head.ending_by;
  const changed = new Set(changes.map(([other]) => other % buckets));
  return {
    generation: fresh ? randomUUID() : head.generation,
    buckets,
    fresh,
    among: all ? range(buckets) : [...changed],
  };
}

/**
 * Writes changes into a viewer's kept relations and returns the new head, or null where another process did so at the
 * same time, which is as good: what a search does not find kept, it is told by profile. Buckets are written over what was
 * read, the head, which has the lists, comes last; so whatever breaks off leaves the old lists and some newer buckets, and
 * both are covered by the changes that follow the old head. New documents are named by the old head before they are there:
 * where this process dies, they are deleted with the next change, or with the member.
 */
export async function keepRelations(kept: KeptChanges, store: RelationStore): Promise<Head | null> {
  const { viewer, before, changes, asOf, now } = kept;
  const head = before?.head ?? none;
  const plan = planOf(head, kept);
  const { generation, buckets, among, fresh } = plan;
  const read = (fresh ? range(head.buckets) : among).map((one) => bucketId(viewer, head.generation, one));
  if (!before) await store.ensure();
  const found = await store.readBuckets(read);
  if (found.size < read.length) {
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
  const endingBy = fresh || now >= head.ending_by ? now + endingMs : head.ending_by;
  const next: Head = {
    as_of: Math.max(asOf, head.as_of),
    generation,
    buckets,
    total: (fresh ? 0 : head.total - old.length) + merged.length,
    lists: listsWith(head.lists, merged, isWritten, now),
    ending: [...head.ending.filter(([other]) => !isWritten(other)), ...endingBefore(merged, now, endingBy)],
    ending_by: endingBy,
    retired: fresh ? documentsOf(viewer, head) : [],
  };
  const begun = { ...head, retired: [...head.retired, ...documentsOf(viewer, next)] };
  const place = fresh ? await store.writeHead(viewer, begun, before?.place) : before?.place;
  if (!place) return null;
  let isKept = false;
  try {
    await store.delete(head.retired);
    isKept = (await store.writeBuckets(written)) && (await store.writeHead(viewer, next, place)) !== null;
  } finally {
    // Another process' head does not name them. One that is there although its write failed begins anew.
    if (fresh && !isKept) await store.delete(documentsOf(viewer, next));
  }
  return isKept ? next : null;
}
