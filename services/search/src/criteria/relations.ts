import type { readViewer, renderRecords } from '@covalence/contract/peers/profile-for-search-api';
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

/** The viewer of a search, and their relations. */
export interface Searching {
  readonly viewer: Viewer;
  /** Their relations, by the other member. */
  readonly relations: ReadonlyMap<number, Relation>;
  /** The ids that the search leaves out. */
  readonly excluded: number[];
  /** Facts that profile must compare before anything is shown; absent of a viewer who was read for this search. */
  readonly known?: z.input<typeof renderRecords.input>['known'];
}

/** Reads the searcher and the members that a search excludes. */
export type Relations = ReturnType<typeof createRelations>;

/** The relations of one viewer, by the other member, complete up to version `asOf`. */
interface KnownRelations {
  readonly byOther: Map<number, Relation>;
  asOf: number;
}

/** A viewer as they were read. */
interface ReadViewer extends KnownRelations {
  readonly viewer: Viewer;
}

/** Relations are cached for viewers with at least this many; fewer are one page of profile. */
const cachedFrom = 500;

/** Relations that each cache of a process holds, about 100 bytes each. */
const maxCached = 1_000_000;

const sizeOf = ({ byOther }: KnownRelations) => Math.max(1, byOther.size);

/** Limits how long a process follows a database that was restored from a backup, whose changes have no newer version. */
const cacheMs = 900_000;

/**
 * Changes are read again from this far back: versions are times of several clocks, and a write becomes visible after its version
 * is chosen.
 */
const overlapMs = 60_000;

/** For so long a search begins with what the last one read. Longer, more viewers would act in between, whose searches run twice. */
const recent = { ms: 5_000, viewers: 1_000 };

/** The ids that a search with these exclusions leaves out; `now` is ISO 8601 in UTC. Members who block the viewer are always excluded. */
function excludedFrom(relations: Iterable<Relation>, kinds: readonly ExclusionKind[], now: string): number[] {
  const [blocks, declines, likes, passes] = exclusionKinds.map((kind) => kinds.includes(kind));
  const excluded: number[] = [];
  // Some viewers have 50,000.
  for (const one of relations) {
    const isPassed = passes && one.passed_until !== null && one.passed_until > now;
    const isLeftOut = (blocks && one.blocks) || (declines && one.declines) || (likes && one.likes);
    if (one.blocked_by || isPassed || isLeftOut) excluded.push(one.other);
  }
  return excluded;
}

/** The facts of a viewer that profile compares with the current ones. */
function knownOf({ viewer, byOther, asOf }: ReadViewer): Searching['known'] {
  const { member, platinum } = viewer;
  const since = Math.max(0, asOf - overlapMs);
  let pairs = 0;
  for (const { version } of byOther.values()) if (version >= since) pairs += version;
  return { version: member.version, platinum, since, pairs };
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
    sizeCalculation: sizeOf,
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
  const readAll = async (id: number): Promise<ReadViewer> => {
    const first: { viewer?: Viewer } = {};
    const known = await cache.forceFetch(id, { context: first });
    if (!first.viewer) return { viewer: await update(id, known), ...known };
    if (known.byOther.size < cachedFrom) cache.delete(id);
    return { viewer: first.viewer, ...known };
  };

  const readViewers = new LRUCache<number, ReadViewer>({
    max: recent.viewers,
    maxSize: maxCached,
    sizeCalculation: sizeOf,
    ttl: recent.ms,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

  const searching = ({ viewer, byOther }: ReadViewer, kinds: readonly ExclusionKind[]) => ({
    viewer,
    relations: byOther,
    excluded: excludedFrom(byOther.values(), kinds, clock().toISOString()),
  });

  return {
    /**
     * The viewer and whom a search with these exclusions leaves out. It calls profile each time, so that the viewer's last action counts.
     * Throws 403 Deactivated.
     */
    async read(id: number, kinds: readonly ExclusionKind[]): Promise<Searching> {
      const last = await readAll(id);
      readViewers.set(id, last);
      return searching(last, kinds);
    },
    /** The same as it was read a moment ago, if it was, for profile to check. */
    recent(id: number, kinds: readonly ExclusionKind[]): Searching | undefined {
      const last = readViewers.get(id);
      return last && { ...searching(last, kinds), known: knownOf(last) };
    },
  };
}
