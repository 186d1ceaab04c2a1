import { around } from 'geokdbush';
import type { ListedCity } from './city-file.ts';
import { fold } from './city-names.ts';
import { readCityTable, readStateNames, type City } from './city-table.ts';
import { kmBetween, type Position } from './position.ts';
import { postalPlace } from './postal-places.ts';

/** A place by its names, with a position in degrees. */
export interface Place extends Position {
  readonly city: string;
  /** English name of the state, province or region; empty if unknown. */
  readonly state: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

const farthestKm = 80;
const largeCity = 100_000;
const candidates = 20;

/** Approximate radius of a city by population: 12 km for a million. */
const reachKm = ({ population }: ListedCity) => 0.012 * Math.sqrt(population);

/** Official abbreviations of states by country, with the numbers that GeoNames has instead. */
const abbreviations: Readonly<Record<string, string>> = {
  AU: 'ACT 01, NSW 02, NT 03, QLD 04, SA 05, TAS 06, VIC 07, WA 08',
  CA: 'AB 01, BC 02, MB 03, NB 04, NL 05, NS 07, NT 13, NU 14, ON 08, PE 09, QC 10, SK 11, YT 12',
};

function createGazetteer() {
  const table = readCityTable();
  const stateNames = readStateNames();
  const stateName = (country: string, code: string) => stateNames.get(`${country}.${code}`) ?? '';
  const abbreviated = Object.entries(abbreviations).flatMap(([country, list]) =>
    list.split(', ').map((each) => {
      const [short = '', code = ''] = each.split(' ');
      return [`${country} ${fold(short)}`, code] as const;
    }),
  );
  const stateCodes = new Map([
    ...[...stateNames].flatMap(([code, name]) => {
      const [country = '', short = ''] = code.split('.');
      return [name, short].map((each) => [`${country} ${fold(each)}`, short] as const);
    }),
    ...abbreviated,
  ]);
  const placeOf = ({ name, country, stateCode, latitude, longitude }: City): Place => ({
    city: name,
    state: stateName(country, stateCode),
    country,
    latitude,
    longitude,
  });
  const nearby = (latitude: number, longitude: number, least: number) =>
    around(table.positions(), longitude, latitude, candidates, farthestKm, (index) => {
      const city = table.at(index);
      return city !== undefined && city.population >= least;
    }).flatMap((index) => table.at(index) ?? []);

  /** The city of a position; null if none is near. */
  const nearest = (latitude: number, longitude: number): Place | null => {
    const near = [...nearby(latitude, longitude, 0), ...nearby(latitude, longitude, largeCity)];
    const byEdge = near
      .map((city) => ({ city, km: kmBetween(city, { latitude, longitude }) - reachKm(city) }))
      .sort((one, other) => one.km - other.km);
    return byEdge[0] ? placeOf(table.cityOf(byEdge[0].city)) : null;
  };

  return {
    /**
     * The largest city of that name, in the state if one is given; null if there is none. A state that is
     * unknown in the country is ignored.
     */
    city(name: string, country: string, state = ''): Place | null {
      const found = table.named(name, country);
      const code = stateCodes.get(`${country} ${fold(state)}`);
      const city = code === undefined ? found[0] : found.find(({ stateCode }) => stateCode === code);
      return city ? placeOf(city) : null;
    },
    postal(zip: string, country: string): Place | null {
      const place = postalPlace(zip, country);
      if (!place) return null;
      const { town, latitude, longitude } = place;
      if (town && country === 'US')
        return { city: town.city, state: stateName(country, town.stateCode), country, latitude, longitude };
      // The package lists Canadian districts and uses other state codes than the list; elsewhere only
      // positions are known.
      const near = nearest(latitude, longitude);
      const city = near?.city ?? town?.city ?? '';
      return { city, state: near?.state ?? '', country, latitude, longitude };
    },
    /** The name of the state that an abbreviation such as CO means in the country; null for any other text. */
    stateOf(abbreviation: string, country: string): string | null {
      if (!/^\p{L}{2,3}$/u.test(abbreviation)) return null;
      const code = stateCodes.get(`${country} ${fold(abbreviation)}`);
      return (code !== undefined && stateName(country, code)) || null;
    },
    nearest,
  };
}

let loaded: ReturnType<typeof createGazetteer> | undefined;

/** Offline geocoder: cities with at least 1,000 inhabitants, and postal codes of most countries; loaded on first use in 0.1 s. */
export function gazetteer() {
  loaded ??= createGazetteer();
  return loaded;
}
