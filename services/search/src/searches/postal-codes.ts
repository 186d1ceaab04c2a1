import type { Position } from '@covalence/contract/position';
import { postalPlace } from '@covalence/geography/postal-places';
import type { MemberIndex } from '../index/member-index.ts';

/** Finds where a postal code is. */
export interface PostalPlaces {
  /** The middle of a postal code's area, or null where it is not known. `zip` is a postal key. */
  find(zip: string, country: string): Promise<Position | null>;
}

function fromGazetteer(zip: string, country: string): Position | null {
  const place = postalPlace(zip, country);
  return place && { lat: place.latitude, lon: place.longitude };
}

/** Postal codes from the table where it has them, elsewhere from where the members are who live there. */
export function createPostalPlaces(members: Pick<MemberIndex, 'centerOf'>): PostalPlaces {
  return {
    find: async (zip, country) => fromGazetteer(zip, country) ?? (await members.centerOf(zip, country)),
  };
}
