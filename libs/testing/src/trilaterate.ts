import { milesBetween, milesPerDegree, positionAt, type Position } from '@covalence/contract/position';

/** Deterministic random numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A uniformly distributed position within a radius. */
export const placeNear = (center: Position, miles: number, random: () => number): Position =>
  positionAt(center, random() * 2 * Math.PI, miles * Math.sqrt(random()));

/** Miles to the east and to the north. */
export type Offset = readonly [number, number];

const milesEast = ({ lat }: Position) => milesPerDegree * Math.cos((lat * Math.PI) / 180);

/** The offset between two nearby positions. */
export const offsetBetween = (from: Position, to: Position): Offset => [
  (to.lon - from.lon) * milesEast(from),
  (to.lat - from.lat) * milesPerDegree,
];

/** Moves a position by an offset. */
export const movedBy = (from: Position, [east, north]: Offset): Position => ({
  lat: from.lat + north / milesPerDegree,
  lon: from.lon + east / milesEast(from),
});

/** A reported distance from a position and its possible error, in miles. */
export interface Observation {
  readonly from: Position;
  readonly miles: number;
  readonly offBy: number;
}

/** The best fit to all observations: weighted least squares by Gauss–Newton. */
export function leastSquares(observations: readonly Observation[], start: Position): Position {
  let at = start;
  for (let round = 0; round < 3; round += 1) {
    let [ee, en, nn, er, nr] = [0, 0, 0, 0, 0];
    for (const { from, miles, offBy } of observations) {
      const distance = milesBetween(from, at);
      const [toEast, toNorth] = offsetBetween(at, from);
      const [east, north] = [-toEast / Math.max(distance, 0.1), -toNorth / Math.max(distance, 0.1)];
      const weight = 1 / offBy ** 2;
      ee += weight * east * east;
      en += weight * east * north;
      nn += weight * north * north;
      er += weight * east * (miles - distance);
      nr += weight * north * (miles - distance);
    }
    const determinant = ee * nn - en * en;
    at = movedBy(at, [(nn * er - en * nr) / determinant, (ee * nr - en * er) / determinant]);
  }
  return at;
}

/** The median. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;
