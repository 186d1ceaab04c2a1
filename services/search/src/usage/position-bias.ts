import { sumOf } from '@covalence/runtime/sum';
/** Counts for results of a kind at one position: how often they were shown, and how often searchers acted on them. */
export interface Shown {
  /** The shown result: its attraction does not depend on the position. */
  readonly pair: string;
  /** The position, or a range of positions, from 0. */
  readonly place: number;
  readonly times: number;
  readonly acted: number;
}

/** Share of looks at each position, relative to the most looked at; undefined if results moved too little to estimate it. */
export type Examined = readonly (number | undefined)[];

/** Actions on pairs that were shown at several places, below which nothing is concluded. */
const fewestCompared = 100;

/** Rounds of the fit, of which ten are usually enough. */
const mostRounds = 500;
const precision = 1e-6;

const sumBy = <One>(all: Iterable<One>, key: (one: One) => number, value: (one: One) => number) => {
  const sums: number[] = [];
  for (const one of all) sums[key(one)] = (sums[key(one)] ?? 0) + value(one);
  return sums;
};

/** The places that pairs connect with the one that has the most actions: others cannot be compared with it. */
function connected(pairs: readonly (readonly Shown[])[]): Set<number> {
  const actions = sumBy(
    pairs.flat(),
    ({ place }) => place,
    ({ acted }) => acted,
  );
  const found = new Set([actions.indexOf(Math.max(...actions.filter((count) => count > 0)))]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const places of pairs) {
      if (places.some(({ place }) => found.has(place))) for (const { place } of places) found.add(place);
    }
  }
  return found;
}

/**
 * Separates how much a position is looked at from how attractive a result is (the position-based model: Craswell et al., An experimental
 * comparison of click position-bias models, WSDM 2008): actions = times × examined × attraction. Nothing is randomized for it. It
 * compares the same pair at the positions at which different searchers happened to see it (Agarwal et al., Estimating position bias without
 * intrusive interventions, WSDM 2019), as a Poisson regression with a parameter for each pair, which stays consistent however rarely
 * each pair was shown (Hausman, Hall and Griliches, 1984).
 */
export function examinedPlaces(shown: readonly Shown[]): Examined {
  // Pairs that nobody acted on, or that never moved, say nothing about positions.
  const moved = [...Map.groupBy(shown, ({ pair }) => pair).values()].filter(
    (places) => places.length > 1 && places.some(({ acted }) => acted > 0),
  );
  const known = connected(moved);
  const pairs = moved.filter((places) => places.every(({ place }) => known.has(place)));
  const actions = sumBy(
    pairs.flat(),
    ({ place }) => place,
    ({ acted }) => acted,
  );
  const ofPair = pairs.map((places) => sumOf(places, ({ acted }) => acted));
  if (sumOf(ofPair, (acted) => acted) < fewestCompared) return [];
  let examined = actions.map(() => 1);
  for (let round = 0; round < mostRounds; round += 1) {
    // The attraction of each pair follows from the positions, and these from the attractions.
    const expected: number[] = actions.map(() => 0);
    for (const [index, places] of pairs.entries()) {
      const looked = sumOf(places, ({ place, times }) => times * (examined[place] ?? 0));
      const attraction = looked > 0 ? (ofPair[index] ?? 0) / looked : 0;
      for (const { place, times } of places) expected[place] = (expected[place] ?? 0) + times * attraction;
    }
    const next = actions.map((count, place) => count / (expected[place] || 1));
    const most = Math.max(...next.filter((one) => one > 0));
    const scaled = next.map((one) => one / most);
    const change = Math.max(...scaled.map((one, place) => Math.abs(one - (examined[place] ?? 0))));
    examined = scaled;
    if (change < precision) break;
  }
  return examined;
}
