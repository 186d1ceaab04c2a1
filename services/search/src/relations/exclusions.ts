import type { Head } from './relation-store.ts';
import { isListed, listsFor, type Entry, type ExclusionKind } from './relation.ts';

/** Whom a search leaves out: ids, and kept lists that a query looks up, except for members whose relation is known newer. */
export interface Exclusions {
  readonly ids: readonly number[];
  readonly lists: { readonly index: string; readonly ids: readonly string[] };
  readonly except: readonly number[];
}

/** What is known of a viewer's relations: what is kept, and what changed since. */
export interface KnownRelations {
  readonly viewer: number;
  readonly index: string;
  readonly head: Head | null;
  /** By version. */
  readonly changes: readonly Entry[];
  readonly now: number;
}

/**
 * Whom a search with these kinds leaves out (D30): the kept lists, corrected by what changed since and by passes that
 * have ended, so that a search always sees what its caller just did.
 */
export function exclusionsOf(kinds: readonly ExclusionKind[], known: KnownRelations): Exclusions {
  const { viewer, index, head, changes, now } = known;
  const lists = listsFor(kinds);
  const ended = (head?.ending ?? []).filter(([, , , until]) => until <= now);
  const newest = new Map([...ended, ...changes].map((entry) => [entry[0], entry]));
  const left = [...newest.values()].filter((entry) => lists.some((list) => isListed(entry, list, now)));
  const isWanted = (name: string) => lists.some((list) => name.endsWith(`.${list}`));
  return {
    ids: left.map(([other]) => other),
    lists: {
      index,
      ids: (head?.lists ?? []).filter(isWanted).map((name) => `${viewer}.${head?.generation}.${name}`),
    },
    except: head ? [...newest.keys()] : [],
  };
}
