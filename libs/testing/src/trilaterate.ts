import { milesBetween, milesPerDegree, positionAt, type Position } from '@covalence/contract/position';

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A place within so many miles, all of them alike. */
export const placeNear = (center: Position, miles: number, random: () => number): Position =>
  positionAt(center, random() * 2 * Math.PI, miles * Math.sqrt(random()));

/** Miles to the east and to the north. */
export type Offset = readonly [number, number];

const milesEast = ({ lat }: Position) => milesPerDegree * Math.cos((lat * Math.PI) / 180);

/** The way from one position to another near by. */
export const offsetBetween = (from: Position, to: Position): Offset => [
  (to.lon - from.lon) * milesEast(from),
  (to.lat - from.lat) * milesPerDegree,
];

/** The position at the end of such a way. */
export const movedBy = (from: Position, [east, north]: Offset): Position => ({
  lat: from.lat + north / milesPerDegree,
  lon: from.lon + east / milesEast(from),
});

/** A distance as it is told, from where, and how far it may be off, both in miles. */
export interface Observation {
  readonly from: Position;
  readonly miles: number;
  readonly offBy: number;
}

/** The position that fits all observations best: weighted least squares, by Gauss and Newton. */
export function leastSquares(observations: readonly Observation[], start: Position): Position {
  let at = start;
  for (let round = 0; round < 3; round += 1) {
    let [ee, en, nn, er, nr] = [0, 0, 0, 0, 0];
    for (const { from, miles, offBy } of observations) {
      const told = milesBetween(from, at);
      const [toEast, toNorth] = offsetBetween(at, from);
      const [east, north] = [-toEast / Math.max(told, 0.1), -toNorth / Math.max(told, 0.1)];
      const weight = 1 / offBy ** 2;
      ee += weight * east * east;
      en += weight * east * north;
      nn += weight * north * north;
      er += weight * east * (miles - told);
      nr += weight * north * (miles - told);
    }
    const determinant = ee * nn - en * en;
    at = movedBy(at, [(nn * er - en * nr) / determinant, (ee * nr - en * er) / determinant]);
  }
  return at;
}

/** The middle one of numbers. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN;
