import { postalKey } from '@covalence/contract/postal-code';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import type zipcodes from 'zipcodes';
import type { Position } from './position.ts';
import { postalArea } from './postal-areas.ts';

/** What is known of a postal code: the middle of its area and, in the United States and Canada, its town. */
export interface PostalPlace extends Position {
  readonly town?: {
    readonly city: string;
    /** The code of the state or province, e.g. TX or ON. */
    readonly stateCode: string;
  };
}

/** Countries of the package, as it spells them, and how it spells their codes. */
const listed: Readonly<Record<string, { name: string; key: (zip: string) => string }>> = {
  US: { name: 'US', key: (zip) => zip },
  CA: { name: 'Canada', key: (zip) => zip.slice(0, 3) },
};

/**
 * The other countries' codes, a text for each: lines of code, latitude and longitude. Searched as they are: as objects they
 * would take ten times the room.
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

/**
 * The codes of the United States and Canada, read when one is first asked for. A service reads them as it starts, so that
 * nobody waits for that: a fifth of a second.
 */
export function listedCodes(): typeof zipcodes {
  codes ??= require('zipcodes') as typeof zipcodes;
  return codes;
}

/** Where a postal code is; null for one that does not exist, or is not known. */
export function postalPlace(zip: string, country: string): PostalPlace | null {
  const key = postalKey(zip, country);
  const entry = listed[country];
  if (!entry) return inTable(key, country);
  const place = listedCodes().lookup(entry.key(key));
  if (!place || place.country !== entry.name) return null;
  const { city, state: stateCode, latitude, longitude } = place;
  return { town: { city, stateCode }, latitude, longitude };
}
