import { readViewer } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { exclusionsOf, type Exclusions } from './exclusions.ts';
import { keepRelations, type KeptChanges } from './keep-relations.ts';
import { allDocumentsOf } from './merge-relations.ts';
import type { Head, RelationStore } from './relation-store.ts';
import { entryOf, type Entry, type ExclusionKind } from './relation.ts';

/** Who searches, as profile knows them. */
export type Viewer = Omit<z.infer<typeof readViewer.output>, 'relations' | 'next'>;

/** Who searches and whom to leave out; where relations are many, they are kept as queries take them. */
export interface Relations {
  /** Reads the viewer and the exclusions of a search, what the viewer just did included. Throws 403 Deactivated. */
  of(viewer: number, kinds: readonly ExclusionKind[]): Promise<{ viewer: Viewer; excluded: Exclusions }>;
  /** Deletes what is kept of members who are gone. */
  forget(members: readonly number[]): Promise<void>;
  /** Deletes everything kept; each viewer's is built again when their relations are next read. Returns how many viewers. */
  reset(): Promise<number>;
  /** Deletes what the version before kept in an index of its own (P323). */
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

  /** What is kept of a viewer who has many, and the first page of what changed since, both asked for at once. */
  const beginMany = async (id: number, expected: number) => {
    const [before, page] = await Promise.all([store.readHead(id), read(id, since(expected))]);
    const asOf = before?.head.as_of ?? 0;
    many.set(id, asOf);
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

  const readAll = async (id: number) => {
    const { before, page } = await begin(id);
    const { relations, next: more, ...viewer } = page;
    const changes = relations.map(entryOf);
    for (let next = more; next !== undefined;) {
      const further = await read(id, next);
      for (const relation of further.relations) changes.push(entryOf(relation));
      next = further.next;
    }
    return { before, viewer, changes };
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
      const { before, viewer, changes } = await readAll(id);
      const now = clock().getTime();
      if (isDue(before?.head, changes, now)) {
        const head = await keep({ viewer: id, before, changes: newest(changes), asOf: started, now });
        if (head) many.set(id, head.as_of);
        if (head) return { viewer, excluded: exclusionsOf(kinds, { head, changes: [], now }) };
      }
      const head = before?.head ?? null;
      return { viewer, excluded: exclusionsOf(kinds, { head, changes, now }) };
    },
    async forget(members) {
      for (const member of members) {
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
      return heads.length;
    },
    dropFormer: () => store.dropFormer(),
  };
}
