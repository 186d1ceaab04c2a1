import { withoutIds, type PackedIds } from './packed-ids.ts';
import type { Head } from './relation-store.ts';
import { isListed, listsFor, type Entry, type ExclusionKind } from './relation.ts';

/** Whom a search leaves out: ids, and those on kept lists. */
export interface Exclusions {
  readonly ids: readonly number[];
  readonly lists: readonly PackedIds[];
}

/** What is known of a viewer's relations: what is kept, and what changed since. */
export interface KnownRelations {
  readonly head: Head | null;
  /** By version. */
  readonly changes: readonly Entry[];
  readonly now: number;
}

const idsOf = (entries: readonly Entry[]): number[] => entries.map(([other]) => other);

/**
 * Whom a search with these kinds leaves out: the kept lists, corrected by what changed since and by passes that
 * have ended, so that a search always sees what its caller just did.
 */
export function exclusionsOf(kinds: readonly ExclusionKind[], known: KnownRelations): Exclusions {
  const { head, changes, now } = known;
  const lists = listsFor(kinds);
  const ended = (head?.ending ?? []).filter(([, , , until]) => until <= now);
  const newest = new Map([...ended, ...changes].map((entry) => [entry[0], entry]));
  const isLeftOut = (entry: Entry) => lists.some((list) => isListed(entry, list, now));
  const { left = [], back = [] } = Object.groupBy(newest.values(), (entry) =>
    isLeftOut(entry) ? 'left' : 'back',
  );
  const kept = lists.flatMap((list) => head?.lists[list] ?? []);
  return {
    ids: idsOf(left),
    lists: kept.map((list) => withoutIds(list, idsOf(back))),
  };
}
