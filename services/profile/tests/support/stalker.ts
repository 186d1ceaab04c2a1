import { milesBetween, positionAt, type Position } from '@covalence/contract/position';
import { movedBy, placeNear, type Observation, type Offset } from '@covalence/testing/trilaterate';
import { cellOf, ring } from '../../src/members/places/shown-position.ts';

/** Everything that a search reveals about one member; it follows from the indexed position. */
export interface Oracle {
  /** `distance` of a search from a place, in whole miles; the order of results and their relevance tell no more than that. */
  distance(from: Position): number;
  /** Whether a search from a place finds the member `within` so many miles. */
  isWithin(from: Position, miles: number): boolean;
}

/** The oracle that the search service is, of a member whom the index has at a position. */
export const oracleOf = (shown: Position): Oracle => ({
  distance: (from) => Math.max(1, Math.round(milesBetween(from, shown))),
  isWithin: (from, miles) => milesBetween(from, shown) <= miles,
});

/** Distances from places all around, as they are told. */
export const distancesAround = (oracle: Oracle, around: Position, count: number, random: () => number) =>
  Array.from({ length: count }, (): Observation => {
    const from = placeNear(around, 60, random);
    return { from, miles: oracle.distance(from), offBy: 0.3 };
  });

/** Points in several directions where the member enters the results: found by bisection, to a few meters. */
export const edgesAround = (oracle: Oracle, around: Position, directions: number) =>
  [20, 30, 40, 50].flatMap((miles) =>
    Array.from({ length: directions }, (_, index): Observation => {
      const bearing = (index / directions) * 2 * Math.PI;
      let [near, far] = [0, 120];
      while (far - near > 0.005) {
        const middle = (near + far) / 2;
        if (oracle.isWithin(positionAt(around, bearing, middle), miles)) near = middle;
        else far = middle;
      }
      return { from: positionAt(around, bearing, near), miles, offBy: 0.005 };
    }),
  );

/** Offsets of the places to try around a shown position, miles. */
const steps = (step: number): Offset[] => {
  const ways = Array.from({ length: Math.floor(7 / step) + 1 }, (_, index) => index * step - 3.5);
  return ways.flatMap((east) => ways.map((north): Offset => [east, north]));
};
const places = steps(0.25);
const guesses = steps(0.5);

/**
 * The best guess of who knows everything but the secret: of all places whose cell may be shown there, the one that has most of
 * them within two miles.
 */
export function bestGuess(shown: Position): Position {
  const possible = places.filter((place) => {
    const miles = milesBetween(cellOf(movedBy(shown, place)).middle, shown);
    return miles >= ring.inner && miles <= ring.outer;
  });
  let best = { count: 0, guess: shown };
  for (const [east, north] of guesses) {
    const count = possible.filter((one) => (one[0] - east) ** 2 + (one[1] - north) ** 2 <= 4).length;
    if (count > best.count) best = { count, guess: movedBy(shown, [east, north]) };
  }
  return best.guess;
}
