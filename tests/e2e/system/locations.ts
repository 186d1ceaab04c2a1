import { milesBetween } from '@covalence/contract/position';
import {
  leastSquares,
  median,
  placeNear,
  randomFrom,
  type Observation,
} from '@covalence/testing/trilaterate';
import { until } from '@covalence/testing/until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { as, male, registerMember, type TestMember } from '../support/members.ts';
import type { System } from '../support/system.ts';

interface Told {
  readonly id: number;
  readonly distance: number | null;
}

const random = randomFrom(23);
/** A town without members of other cases. */
const town = { lat: 42.87, lon: -112.44 };

/** Tests of what searches reveal about locations. */
export function locationCases(system: () => System): void {
  describe('locations of members', () => {
    const homes = Array.from({ length: 16 }, () => placeNear(town, 10, random));
    let stack: System;
    let targets: number[];
    let stalker: TestMember;

    const inTown = { city: 'Pocatello', state: 'Idaho', zip: '83201' };
    const registered = (place: { lat: number; lon: number }, fields: object = {}) =>
      registerMember(stack.url, stack.demo, {
        ...inTown,
        latitude: place.lat,
        longitude: place.lon,
        ...fields,
      });

    const search = async (body: object): Promise<Told[]> => {
      const criteria = { age: { from: 18, to: 99 }, pagesize: 100, ...body };
      const { body: found } = await as(stack.url, stalker).post('/searches', criteria).expect(200);
      return (found as { users: Told[] }).users;
    };

    beforeAll(async () => {
      stack = system();
      stalker = await registered(town);
      targets = (await Promise.all(homes.map((home) => registered(home, male)))).map(({ id }) => id);
      await until('all targets in the results', async () => {
        const found = new Set((await search({})).map(({ id }) => id));
        return targets.every((id) => found.has(id));
      });
    });

    it.each([4, 60])('are not revealed by trilateration with %i origins', async (origins) => {
      const told = targets.map((): Observation[] => []);
      for (let count = 0; count < origins; count += 1) {
        const from = placeNear(town, 25, random);
        const users = await search({ location: { within: 150, of: `${from.lat},${from.lon}` } });
        const distances = users.map(({ distance }) => distance ?? Infinity);
        expect(distances).toEqual(distances.toSorted((one, other) => one - other));
        targets.forEach((target, at) => {
          const { distance } = users.find(({ id }) => id === target) ?? {};
          const [home, observed] = [homes[at], told[at]];
          if (typeof distance !== 'number' || !home || !observed) throw new Error('a target is missing');
          expect(Math.abs(distance - milesBetween(from, home))).toBeLessThanOrEqual(4);
          observed.push({ from, miles: distance, offBy: 0.3 });
        });
      }
      const errors = homes.map((home, at) => milesBetween(leastSquares(told[at] ?? [], town), home));
      // The median of the simulation in profile is 2 miles; with 16 members it varies.
      expect(median(errors)).toBeGreaterThan(1.5);
    });
  });
}
