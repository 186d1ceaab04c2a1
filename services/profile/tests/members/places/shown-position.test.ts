import { milesBetween, type Position } from '@covalence/contract/position';
import { describe, expect, it } from '@jest/globals';
import { fuzzing } from '@covalence/testing/fuzzing';
import { assert, constantFrom, double, integer, oneof, property, record } from 'fast-check';
import { cellOf, createShownPosition } from '../../../src/members/places/shown-position.ts';
import {
  leastSquares,
  median,
  movedBy,
  offsetBetween,
  placeNear,
  randomFrom,
} from '@covalence/testing/trilaterate';
import { bestGuess, distancesAround, edgesAround, oracleOf } from '../../support/stalker.ts';

const shownPosition = createShownPosition('a-position-secret-for-the-tests-only');

const shownAt = (id: number, { lat, lon }: Position, show = shownPosition): Position => {
  const shown = show({ _id: id, fields: { latitude: lat, longitude: lon } });
  if (!shown) throw new Error('not shown');
  return shown;
};

const ids = integer({ min: 1, max: 10_000_000 });
const degrees = (max: number, edges: number[]) =>
  oneof(double({ min: -max, max, noNaN: true }), constantFrom(...edges));
const positions = record({
  lat: degrees(90, [-90, 90, 0, 89.999, -89.99, 1e-9]),
  lon: degrees(180, [-180, 180, 179.9999, -179.9999, 0, -1e-9]),
});

describe('a shown position', () => {
  it('is 0.8 to 3.5 miles from the member, at the poles and the antimeridian too', () => {
    assert(
      property(ids, positions, (id, position) => {
        const shown = shownAt(id, position);
        expect(Math.abs(shown.lat)).toBeLessThanOrEqual(90);
        expect(Math.abs(shown.lon)).toBeLessThanOrEqual(180);
        const miles = milesBetween(position, shown);
        expect(miles).toBeGreaterThan(0.8);
        expect(miles).toBeLessThan(3.5);
      }),
      fuzzing(2_000),
    );
  });

  it('keeps every distance in whole miles within 4 of the truth', () => {
    assert(
      property(ids, positions, positions, (id, position, from) => {
        const told = oracleOf(shownAt(id, position)).distance(from);
        expect(Math.abs(told - milesBetween(from, position))).toBeLessThanOrEqual(4);
      }),
      fuzzing(1_000),
    );
  });

  it('is the same within a cell, so that repeated looks and small moves reveal nothing', () => {
    assert(
      property(ids, positions, (id, position) => {
        const { name, middle } = cellOf(position);
        expect(milesBetween(position, middle)).toBeLessThan(0.71);
        expect(cellOf(middle).name).toBe(name);
        expect(shownAt(id, middle)).toEqual(shownAt(id, position));
      }),
      fuzzing(1_000),
    );
  });

  it('differs by member, cell and secret, and is null without a position', () => {
    const home = { lat: 30.2672, lon: -97.7431 };
    const others = [
      ...Array.from({ length: 50 }, (_, index) => shownAt(index + 2, home)),
      shownAt(1, home, createShownPosition('another-position-secret-for-the-tests')),
    ];
    expect(new Set([shownAt(1, home), ...others].map(({ lat, lon }) => `${lat},${lon}`)).size).toBe(52);
    expect(shownPosition({ _id: 1, fields: { latitude: 30 } })).toBeNull();
  });
});

/** Members in cities of all latitudes where people live, the same in every run. */
const random = randomFrom(13);
const cities = Array.from({ length: 10 }, () => ({ lat: random() * 110 - 45, lon: random() * 340 - 170 }));
const targets = cities.flatMap((city, at) =>
  Array.from({ length: 6 }, (_, index) => ({
    id: at * 6 + index + 1,
    city,
    home: placeNear(city, 15, random),
  })),
);

/** Errors of guesses that apply a target's known displacement to another home or member, miles. */
const errorsFor = (next: (target: (typeof targets)[number]) => { id: number; home: Position }) =>
  targets.map((target) => {
    const known = offsetBetween(shownAt(target.id, target.home), target.home);
    const { id, home } = next(target);
    return milesBetween(movedBy(shownAt(id, home), known), home);
  });

/** Error of the attack with `origins` distances: of the displaced position, and of its two guesses of the home, miles. */
const attack = (origins: number) =>
  targets.map(({ id, city, home }) => {
    const shown = shownAt(id, home);
    const found = leastSquares(distancesAround(oracleOf(shown), city, origins, random), city);
    return {
      ofShown: milesBetween(found, shown),
      errors: [found, bestGuess(found)].map((guess) => milesBetween(guess, home)),
    };
  });

describe('a stalker', () => {
  it('is off by 2 miles or more in the median, with 2,000 origins, the edges of `within`, and all but the secret', () => {
    const errors = targets.map(({ id, city, home }) => {
      const oracle = oracleOf(shownAt(id, home));
      const told = [...distancesAround(oracle, city, 2_000, random), ...edgesAround(oracle, city, 8)];
      const found = leastSquares(told, city);
      // The displaced position itself comes out: the attack does what it can.
      expect(milesBetween(found, shownAt(id, home))).toBeLessThan(0.05);
      return { center: milesBetween(found, home), best: milesBetween(bestGuess(found), home) };
    });
    expect(median(errors.map(({ center }) => center))).toBeGreaterThan(2.1);
    expect(median(errors.map(({ best }) => best))).toBeGreaterThan(2.1);
  });

  it('gets no closer with 10,000 origins than with three, so that a limit of origins protects nobody', () => {
    const results = [3, 60, 600, 10_000].map(attack);
    const closest = results.flatMap((found) =>
      [0, 1].map((guess) => median(found.map(({ errors }) => errors[guess] ?? 0))),
    );
    expect(Math.min(...closest)).toBeGreaterThan(2.1);
    // More origins find the displaced position ever better, and not the home.
    const misses = results.map((found) => median(found.map(({ ofShown }) => ofShown)));
    expect(misses).toEqual(misses.toSorted((one, other) => other - one));
    expect(misses.at(-1)).toBeLessThan(0.01);
  });

  it('gains nothing from a home that they know, for the next one of the same member or that of a neighbor', () => {
    const moved = errorsFor(({ id, city }) => ({ id, home: placeNear(city, 15, random) }));
    const nextDoor = errorsFor(({ id, home }) => ({ id: id + 1_000, home }));
    expect([median(moved), median(nextDoor)].every((error) => error > 2)).toBe(true);
  });
});
