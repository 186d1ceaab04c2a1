import type { readViewer } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';

type ViewerPage = z.infer<typeof readViewer.output>;

/** The member who searches, as profile returns them. */
export type Viewer = Omit<ViewerPage, 'relations' | 'next'>;

/** A viewer's relation to another member, as profile returns it. */
export type Relation = ViewerPage['relations'][number];

/** The kinds of relation that a search can exclude. */
export const exclusionKinds = ['blocks', 'declines', 'likes', 'passes'] as const;

/** One of them. */
export type ExclusionKind = (typeof exclusionKinds)[number];

/** Reads the searcher and the members that a search excludes. */
export type Relations = ReturnType<typeof createRelations>;

/** The relations of one viewer, by the other member, complete up to version `asOf`. */
interface KnownRelations {
  readonly byOther: Map<number, Relation>;
  asOf: number;
}

/** Relations are cached for viewers with at least this many; fewer are one page of profile. */
const cachedFrom = 500;

/** Relations cached in a process, about 100 bytes each. */
const maxCached = 1_000_000;

/** Limits how long a process follows a database that was restored from a backup, whose changes have no newer version. */
const cacheMs = 900_000;

/**
 * Changes are read again from this far back: versions are times of several clocks, and a write becomes visible after its version
 * is chosen.
 */
const overlapMs = 60_000;

/** Whether a search excludes the other member; `now` is ISO 8601 in UTC. Members who block the viewer are always excluded. */
function isExcluded(relation: Relation, kinds: readonly ExclusionKind[], now: string): boolean {
  const { blocked_by, passed_until: until } = relation;
  const isPassed = until !== null && until > now;
  return blocked_by || kinds.some((kind) => (kind === 'passes' ? isPassed : relation[kind]));
}

/** Creates the reader; it caches the relations of viewers who have many. */
export function createRelations(profile: Peer<'profile'>, clock: Clock) {
  /** Adds what changed since the last read, and returns the viewer. */
  const update = async (id: number, known: KnownRelations): Promise<Viewer> => {
    const asOf = clock().getTime();
    const readPage = (since: number) => profile.readViewer({ id, relations: { since } });
    const first = await readPage(Math.max(0, known.asOf - overlapMs));
    for (let page = first; ; page = await readPage(page.next)) {
      for (const change of page.relations) {
        const before = known.byOther.get(change.other);
        if (!before || before.version <= change.version) known.byOther.set(change.other, change);
      }
      if (page.next === undefined) break;
    }
    known.asOf = Math.max(known.asOf, asOf);
    const { relations: _relations, next: _next, ...viewer } = first;
    return viewer;
  };

  const cache = new LRUCache<number, KnownRelations, { viewer?: Viewer }>({
    maxSize: maxCached,
    sizeCalculation: ({ byOther }) => Math.max(1, byOther.size),
    ttl: cacheMs,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
    ignoreFetchAbort: true,
    async fetchMethod(id, _stale, { context }) {
      const known = { byOther: new Map<number, Relation>(), asOf: 0 };
      context.viewer = await update(id, known);
      return known;
    },
  });

  /** Concurrent first reads of a viewer share one; every other call reads only what changed. */
  const readAll = async (id: number): Promise<{ viewer: Viewer; known: KnownRelations }> => {
    const first: { viewer?: Viewer } = {};
    const known = await cache.forceFetch(id, { context: first });
    if (!first.viewer) return { viewer: await update(id, known), known };
    if (known.byOther.size < cachedFrom) cache.delete(id);
    return { viewer: first.viewer, known };
  };

  return {
    /**
     * The viewer, their relations by the other member, and the ids that a search with these exclusions leaves out. It calls profile each
     * time, so that the viewer's last action counts. Throws 403 Deactivated.
     */
    async read(
      id: number,
      kinds: readonly ExclusionKind[],
    ): Promise<{ viewer: Viewer; excluded: number[]; relations: ReadonlyMap<number, Relation> }> {
      const { viewer, known } = await readAll(id);
      const now = clock().toISOString();
      const excluded: number[] = [];
      for (const relation of known.byOther.values()) {
        if (isExcluded(relation, kinds, now)) excluded.push(relation.other);
      }
      return { viewer, excluded, relations: known.byOther };
    },
  };
}
