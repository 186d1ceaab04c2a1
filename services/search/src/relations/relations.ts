import type { Peer } from '@covalence/http/peer';
import type { Clock } from '@covalence/runtime/clock';
import { LRUCache } from 'lru-cache';
import { isExcluded, type ExclusionKind, type Relation } from './exclusion-kinds.ts';
import type { Viewer } from './viewer.ts';

/** Reads who searches and whom to leave out. */
export interface Relations {
  /**
   * The viewer and the ids that a search with these exclusions leaves out. Profile is asked every time, so that the viewer's
   * last action counts. Throws 403 Deactivated.
   */
  read(viewer: number, kinds: readonly ExclusionKind[]): Promise<{ viewer: Viewer; excluded: number[] }>;
}

/** The relations of one viewer, by the other member, complete up to version `asOf`. */
interface CachedRelations {
  readonly byOther: Map<number, Relation>;
  asOf: number;
}

/** From this many relations on they are cached, and only changes are read; fewer are one page of profile. */
const cachedFrom = 500;

/** Relations cached in a process, about 100 bytes each. */
const maxCached = 1_000_000;

/** Limits how long a process follows a database that was restored from a backup, whose changes have no newer version. */
const cacheMs = 900_000;

/**
 * Versions are times of several processes' clocks, and a write becomes visible after its version is chosen, so changes are
 * read again from this far back.
 */
const overlapMs = 60_000;

/** Adds changes, of which the newer version wins. */
function merge(byOther: Map<number, Relation>, changes: readonly Relation[]): void {
  for (const change of changes) {
    const known = byOther.get(change.other);
    if (!known || known.version <= change.version) byOther.set(change.other, change);
  }
}

/** Creates the reader; it caches the relations of viewers who have many. */
export function createRelations(profile: Peer<'profile'>, clock: Clock): Relations {
  const cache = new LRUCache<number, CachedRelations>({
    maxSize: maxCached,
    sizeCalculation: ({ byOther }) => byOther.size,
    ttl: cacheMs,
    noUpdateTTL: true,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
  });

  const readPage = (id: number, since: number) => profile.readViewer({ id, relations: { since } });

  const readChanges = async (id: number, since: number) => {
    const { relations, next: second, ...viewer } = await readPage(id, since);
    for (let next = second; next !== undefined;) {
      const page = await readPage(id, next);
      relations.push(...page.relations);
      next = page.next;
    }
    return { viewer, changes: relations };
  };

  return {
    async read(id, kinds) {
      const asOf = clock().getTime();
      const cached = cache.get(id) ?? { byOther: new Map<number, Relation>(), asOf: 0 };
      const { viewer, changes } = await readChanges(id, Math.max(0, cached.asOf - overlapMs));
      const { byOther } = cached;
      merge(byOther, changes);
      cached.asOf = Math.max(cached.asOf, asOf);
      if (byOther.size >= cachedFrom) cache.set(id, cached);
      const now = clock().toISOString();
      const excluded: number[] = [];
      for (const relation of byOther.values()) {
        if (isExcluded(relation, kinds, now)) excluded.push(relation.other);
      }
      return { viewer, excluded };
    },
  };
}
