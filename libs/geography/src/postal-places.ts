import { postalKey } from '@covalence/contract/postal-code';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import type zipcodes from 'zipcodes';
import type { Position } from './position.ts';

/** The center of a postal code and, in the United States and Canada, its town. */
export interface PostalPlace extends Position {
  readonly town?: {
    readonly city: string;
    /** The code of the state or province, e.g. TX or ON. */
    readonly stateCode: string;
  };
}

/** Country names and code formats of the package `zipcodes`. */
const listed: Readonly<Record<string, { name: string; key: (zip: string) => string }>> = {
  US: { name: 'US', key: (zip) => zip },
  CA: { name: 'Canada', key: (zip) => zip.slice(0, 3) },
};

/** Codes that are more precise than the table: the prefix that names the area, by country. */
const areas: Readonly<Record<string, RegExp>> = { GB: /^[A-Z]{1,2}/, NL: /^\d{4}/, PT: /^\d{4}/ };

/** The prefix of a postal key that the table contains. */
export const postalArea = (key: string, country: string): string => areas[country]?.exec(key)?.[0] ?? key;

/**
 * Postal codes of other countries: one text per country with lines of code, latitude and longitude. Objects
 * would take ten times the memory.
 */
function readTable(): ReadonlyMap<string, string> {
  const text = gunzipSync(readFileSync(new URL('../data/postal-codes.tsv.gz', import.meta.url))).toString();
  return new Map(
    text.split(/^(?=[A-Z]{2}$)/m).map((country) => [country.slice(0, 2), country.slice(2)] as const),
  );
}

let table: ReadonlyMap<string, string> | undefined;

function inTable(key: string, country: string): PostalPlace | null {
  table ??= readTable();
  const codes = table.get(country);
  const start = `\n${postalArea(key, country)}\t`;
  const at = codes?.indexOf(start) ?? -1;
  if (!codes || at === -1) return null;
  const [latitude, longitude] = codes.slice(at + start.length, codes.indexOf('\n', at + 1)).split('\t');
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

const require = createRequire(import.meta.url);

let codes: typeof zipcodes | undefined;

/** Postal codes of the United States and Canada. Loading takes 0.2 s, so services load them at startup. */
export function listedCodes(): typeof zipcodes {
  codes ??= require('zipcodes') as typeof zipcodes;
  return codes;
}

/** The place of a postal code; null if the code is unknown. */
export function postalPlace(zip: string, country: string): PostalPlace | null {
  const key = postalKey(zip, country);
  const entry = listed[country];
  if (!entry) return inTable(key, country);
  const place = listedCodes().lookup(entry.key(key));
  if (!place || place.country !== entry.name) return null;
  const { city, state: stateCode, latitude, longitude } = place;
  return { town: { city, stateCode }, latitude, longitude };
}
