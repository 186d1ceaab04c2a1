import zipcodes from 'zipcodes';
import type { Position } from '../criteria/query-criterion.ts';
import type { MemberIndex } from '../index/member-index.ts';

/** Finds where a postal code is. */
export interface PostalPlaces {
  /** The middle of a postal code's area, or null where it is not known. `zip` is a postal key. */
  find(zip: string, country: string): Promise<Position | null>;
}

/** Countries of the gazetteer, as it spells them, and how it spells their codes. */
const listed: Readonly<Record<string, { name: string; key: (zip: string) => string }>> = {
  US: { name: 'US', key: (zip) => zip },
  CA: { name: 'Canada', key: (zip) => zip.slice(0, 3) },
};

function fromGazetteer(zip: string, country: string): Position | null {
  const entry = listed[country];
  const place = entry && zipcodes.lookup(entry.key(zip));
  return place?.country === entry?.name && place ? { lat: place.latitude, lon: place.longitude } : null;
}

/** Postal codes from a gazetteer (United States, Canada), elsewhere from where the members are who live there. */
export function createPostalPlaces(members: Pick<MemberIndex, 'centerOf'>): PostalPlaces {
  return {
    find: async (zip, country) => fromGazetteer(zip, country) ?? (await members.centerOf(zip, country)),
  };
}
