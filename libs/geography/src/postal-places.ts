import { postalKey } from '@covalence/contract/postal-code';
import zipcodes from 'zipcodes';

/** What is known of a postal code: its town and the middle of its area in degrees. */
export interface PostalPlace {
  readonly city: string;
  /** The code of the state or province, e.g. TX or ON. */
  readonly stateCode: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Countries of the package, as it spells them, and how it spells their codes. */
const listed: Readonly<Record<string, { name: string; key: (zip: string) => string }>> = {
  US: { name: 'US', key: (zip) => zip },
  CA: { name: 'Canada', key: (zip) => zip.slice(0, 3) },
};

/** Where a postal code of the United States or Canada is; null elsewhere, and for a code that does not exist. */
export function postalPlace(zip: string, country: string): PostalPlace | null {
  const entry = listed[country];
  const place = entry && zipcodes.lookup(entry.key(postalKey(zip, country)));
  if (!place || place.country !== entry.name) return null;
  const { city, state: stateCode, latitude, longitude } = place;
  return { city, stateCode, latitude, longitude };
}
