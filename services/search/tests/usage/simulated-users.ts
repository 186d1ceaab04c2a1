import { coinsOf, draft } from '../../src/usage/team-draft.ts';

// Globals are slow in the context of a test.
const { floor, imul } = Math;

/** Random numbers that follow from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The chance that a searcher sees a position, from 0. */
const sees = (position: number): number => 1 / (1 + 0.2 * position);

/** Attraction and rankings of candidates for one repeated search. */
interface Wish {
  /** The chance of a like, by candidate, if the searcher sees them. */
  readonly attraction: readonly number[];
  /** The first results of rankings, by their error. */
  readonly ranked: ReadonlyMap<number, readonly number[]>;
}

const wishes = 200;
const candidates = 60;
const pagesize = 20;

/** Wishes, and rankings that err so much about the attraction of candidates; an error may be given twice, for two rankings. */
export function makeWishes(seed: number, errors: readonly number[]): Wish[] {
  const random = randomOf(seed);
  return Array.from({ length: wishes }, () => {
    // Few members attract much.
    const attraction = Array.from({ length: candidates }, () => 0.1 * random() ** 3);
    const rank = (error: number) =>
      attraction
        .map((one, id) => ({ id, score: one + error * (random() - 0.5) }))
        .sort((one, other) => other.score - one.score)
        .slice(0, pagesize)
        .map(({ id }) => id);
    return { attraction, ranked: new Map(errors.map((error, index) => [index, rank(error)])) };
  });
}

/** Searchers to whom two rankings are interleaved: for each, the likes of team b less those of team a in all of their searches. */
export function* simulate(
  seed: number,
  searchers: number,
  searches: number,
  all: readonly Wish[],
  [a, b]: readonly [number, number],
): Generator<number> {
  const random = randomOf(seed);
  for (let searcher = 0; searcher < searchers; searcher += 1) {
    let score = 0;
    for (let search = 0; search < searches; search += 1) {
      const { attraction, ranked } = all[floor(random() * all.length)] ?? {
        attraction: [],
        ranked: new Map<number, number[]>(),
      };
      const coins = coinsOf(`${seed}:${searcher}:${search}`);
      const list = draft(ranked.get(a) ?? [], ranked.get(b) ?? [], coins, pagesize);
      for (const [position, { id, team }] of list.entries()) {
        if (random() < sees(position) * (attraction[id] ?? 0)) score += team === 'b' ? 1 : -1;
      }
    }
    yield score;
  }
}

/** The expected likes of a search by a ranking alone. */
export const likesOf = (all: readonly Wish[], ranking: number): number =>
  all
    .flatMap(({ attraction, ranked }) =>
      (ranked.get(ranking) ?? []).map((id, position) => sees(position) * (attraction[id] ?? 0)),
    )
    .reduce((sum, likes) => sum + likes, 0) / all.length;
