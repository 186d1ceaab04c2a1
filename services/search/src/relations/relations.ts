import { readViewer } from '@covalence/contract/internal/profile-api';
import type { Position } from '@covalence/contract/position';
import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { exclusionsOf, type Exclusions } from './exclusions.ts';
import { keepRelations, type KeptChanges, type ReadHead } from './keep-relations.ts';
import { allDocumentsOf } from './merge-relations.ts';
import type { Head, RelationStore } from './relation-store.ts';
import { entryOf, type Entry, type ExclusionKind } from './relation.ts';

/** Who searches, as profile knows them. */
export type Viewer = Omit<z.infer<typeof readViewer.output>, 'relations' | 'next'>;

/** Where a viewer is: what their own searches measure from. Profile of the version before tells the one of the projection. */
export const positionOf = ({ member, position }: Viewer): Position | null =>
  position === undefined ? member.position : position;

/** Who searches and whom to leave out; where relations are many, they are kept as queries take them. */
export interface Relations {
  /** Reads the viewer and the exclusions of a search, what the viewer just did included. Throws 403 Deactivated. */
  of(viewer: number, kinds: readonly ExclusionKind[]): Promise<{ viewer: Viewer; excluded: Exclusions }>;
  /** Deletes what is kept of members who are gone. */
  forget(members: readonly number[]): Promise<void>;
  /** Deletes everything kept; each viewer's is built again when their relations are next read. Returns how many viewers. */
  reset(): Promise<number>;
  /** Deletes what the version before kept in an index of its own. */
  dropFormer(): Promise<void>;
}

/** What relations work with. */
export interface RelationsOptions {
  readonly profile: Peer;
  readonly store: RelationStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Changes since the last keeping with which they are kept too; fewer go with the query as they are. */
const keepAt = 500;

/**
 * Versions are times of several processes' clocks, and a write shows a moment after its version was chosen: changes are
 * read again from this far back. Twice changes nothing.
 */
const overlapMs = 60_000;

/** From which version on profile is asked for what follows what is kept. */
const since = (asOf: number) => Math.max(0, asOf - overlapMs);

/** Whether it is time to keep: many changes that are not kept, or kept ones that are read again and again; passes ending. */
function isDue(head: Head | undefined, changes: readonly Entry[], now: number): boolean {
  if (head && now >= head.ending_by) return true;
  if (changes.length < keepAt) return false;
  const asOf = head?.as_of ?? 0;
  return now > asOf + overlapMs || changes.filter(([, version]) => version > asOf).length >= keepAt;
}

/** Viewers of whom a process remembers that they have many relations. */
const remembered = 10_000;

/** How long a head that was read is used again, ms: for the pages that somebody looks through. */
const recentMs = 60_000;

/** Most characters of such heads in all. */
const recentSize = 2 ** 25;

const sizeOf = ({ head: { lists, ending } }: ReadHead): number => {
  const pages = Object.values(lists).flatMap((list) => list.pages);
  return pages.reduce((size, page) => size + page.length, 1 + ending.length);
};

/** The newest of each pair: pages are read one after the other, and a pair may have changed between them. */
const newest = (changes: readonly Entry[]): Entry[] => [
  ...new Map(changes.map((entry) => [entry[0], entry])).values(),
];

/** Creates the reader of relations. */
export function createRelations(options: RelationsOptions): Relations {
  const { profile, store, clock, logger } = options;
  const read = (id: number, from: number) =>
    profile.call('/internal/viewers', { id, relations: { since: from } }, readViewer.output);

  /** Those of whom some relations are kept or soon will be, by the time up to which they were when they were last read. */
  const many = new LRUCache<number, number>({ max: remembered });

  /** Heads as they were last read: what changed since is read from profile, so that an older one is as good. */
  const recent = new LRUCache<number, ReadHead>({
    maxSize: recentSize,
    sizeCalculation: sizeOf,
    ttl: recentMs,
    // As the clock goes: what the cache remembers of the time is older than the clock of tests.
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

  /** What is kept of a viewer who has many, and the first page of what changed since, both asked for at once. */
  const beginMany = async (id: number, expected: number) => {
    const [before, page] = await Promise.all([store.readHead(id), read(id, since(expected))]);
    const asOf = before?.head.as_of ?? 0;
    many.set(id, asOf);
    if (before) recent.set(id, before);
    // More changes than follow what is kept do no harm, but are not worth reading page by page.
    const fits = asOf === expected || (asOf > expected && page.next === undefined);
    return { before, page: fits ? page : await read(id, since(asOf)) };
  };

  /** What is kept and the first page of what changed since; who has few relations has all of them on that page. */
  const begin = async (id: number) => {
    const expected = many.get(id);
    if (expected !== undefined) return beginMany(id, expected);
    const page = await read(id, 0);
    return page.relations.length < keepAt ? { before: null, page } : beginMany(id, 0);
  };

  /** A head that was read lately, and the first page of what changed since. */
  const after = async (id: number, before: ReadHead) => ({
    before,
    page: await read(id, since(before.head.as_of)),
  });

  const readAll = async (id: number, lately?: ReadHead) => {
    const { before, page } = await (lately ? after(id, lately) : begin(id));
    const { relations, next: more, ...viewer } = page;
    const changes = relations.map(entryOf);
    for (let next = more; next !== undefined;) {
      const further = await read(id, next);
      for (const relation of further.relations) changes.push(entryOf(relation));
      next = further.next;
    }
    return { before, viewer, changes, now: clock().getTime() };
  };

  /** From a remembered head, unless it is time to keep: that is done over what is there now. */
  const readRecent = async (id: number) => {
    const before = recent.get(id);
    const known = await readAll(id, before);
    return before && isDue(before.head, known.changes, known.now) ? readAll(id) : known;
  };

  /** Null where they cannot be kept now (the engine's disks are full, say): the search has read what it needs already. */
  const keep = (kept: KeptChanges): Promise<Head | null> =>
    keepRelations(kept, store).catch((error: unknown) => {
      logger.warn({ err: error }, 'relations are not kept');
      return null;
    });

  return {
    async of(id, kinds) {
      const started = clock().getTime();
      const { before, viewer, changes, now } = await readRecent(id);
      if (isDue(before?.head, changes, now)) {
        recent.delete(id);
        const head = await keep({ viewer: id, before, changes: newest(changes), asOf: started, now });
        if (head) many.set(id, head.as_of);
        if (head) return { viewer, excluded: exclusionsOf(kinds, { head, changes: [], now }) };
      }
      const head = before?.head ?? null;
      return { viewer, excluded: exclusionsOf(kinds, { head, changes, now }) };
    },
    async forget(members) {
      for (const member of members) {
        recent.delete(member);
        const found = await store.readHead(member);
        if (found) await store.delete(allDocumentsOf(member, found.head));
      }
    },
    async reset() {
      // What was there in the beginning, and no more: busy searches keep anew as fast as it is deleted, from what is right by now.
      const { heads, others } = await store.all();
      await store.delete(heads);
      // A search under way finds no head to write over, and takes away what it has begun.
      await store.delete(others);
      recent.clear();
      return heads.length;
    },
    dropFormer: () => store.dropFormer(),
  };
}
