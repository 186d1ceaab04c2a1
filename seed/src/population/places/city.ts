import zipcodes from 'zipcodes';

/** The countries that members live in. */
export type Country = 'US' | 'CA' | 'GB' | 'DE' | 'ES' | 'GR' | 'TR' | 'FR';

/** A quarter of a city with its own postal code and position in degrees. */
export interface Area {
  readonly postal: string;
  readonly quarter: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** A city, how many of its country's members live in it, and its quarters. */
export interface City {
  readonly name: string;
  readonly country: Country;
  /** The state, province or region by its full name. */
  readonly state: string;
  readonly timezone: string;
  readonly region: Region | 'abroad';
  readonly weight: number;
  readonly areas: readonly Area[];
}

const usArea = (text: string): Area => {
  const postal = text.slice(0, 5);
  const place = zipcodes.lookup(postal);
  if (!place) throw new Error(`the zipcodes package does not know ${postal}`);
  return { postal, quarter: text.slice(6), latitude: place.latitude, longitude: place.longitude };
};

const stateName = (code: string) => {
  const upper = zipcodes.states.abbr[code] ?? code;
  return upper === 'DC' || upper === 'DISTRICT OF COLUMBIA'
    ? 'District of Columbia'
    : upper.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
};

/** Parts of the United States whose people differ in origin and belief. */
const regions = [
  'northeast',
  'new_england',
  'great_lakes',
  'midwest',
  'plains',
  'south',
  'louisiana',
  'florida',
  'miami',
  'texas',
  'southwest',
  'mountain',
  'utah',
  'california',
  'bay_area',
  'northwest',
  'hawaii',
] as const;

/** A part of the United States. */
export type Region = (typeof regions)[number];

/**
 * A city of the United States from a row of us-cities.ts; its quarters are written "78704 Travis Heights".
 * Throws where a row is incomplete or names a region or ZIP code that is not known.
 */
export function us(row: string): City {
  const [name = '', state = '', timezone = '', regionName = '', weight = '', areas = ''] = row.split(' | ');
  const region = regions.find((known) => known === regionName);
  if (!region) throw new Error(`no such region: ${row}`);
  return {
    name,
    country: 'US',
    state: stateName(state),
    timezone,
    region,
    weight: Number(weight),
    areas: areas.split('; ').map(usArea),
  };
}

/** A city elsewhere; its quarters are postal code, name, latitude, longitude. */
export function abroad(
  country: Country,
  name: string,
  state: string,
  timezone: string,
  weight: number,
  areas: readonly (readonly [string, string, number, number])[],
): City {
  return {
    name,
    country,
    state,
    timezone,
    region: 'abroad',
    weight,
    areas: areas.map(([postal, quarter, latitude, longitude]) => ({ postal, quarter, latitude, longitude })),
  };
}
