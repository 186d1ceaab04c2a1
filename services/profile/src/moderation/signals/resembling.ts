import { setImmediate as turn } from 'node:timers/promises';
import type { Hit } from '../store/signal-store.ts';
import { similarityOf } from '../store/text-prints.ts';

const areAlike = (one: Hit, other: Hit, similarity: number): boolean =>
  one._id !== other._id &&
  one.prints?.some((print) => other.prints?.some((theirs) => similarityOf(print, theirs) >= similarity)) ===
    true;

/** The conversations whose first messages resemble those of a fresh one, with that one. Requests are handled between the fresh ones. */
export async function resembling(
  hits: readonly Hit[],
  fresh: ReadonlySet<string>,
  similarity: number,
): Promise<Hit[]> {
  const found = new Set<Hit>();
  for (const one of hits.filter(({ _id }) => fresh.has(_id))) {
    await turn();
    const others = hits.filter((other) => areAlike(one, other, similarity));
    for (const each of others.length ? [one, ...others] : []) found.add(each);
  }
  return [...found];
}
