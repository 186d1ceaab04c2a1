import type { Position } from '@covalence/contract/position';
import { postalPlace } from '@covalence/geography/postal-places';
import type { MemberIndex } from '../index/member-index.ts';

/** Locates postal codes. */
export interface PostalCodeLocator {
  /** The center of a postal code's area, or null if unknown. `zip` is a postal key. */
  find(zip: string, country: string): Promise<Position | null>;
}

function fromGazetteer(zip: string, country: string): Position | null {
  const place = postalPlace(zip, country);
  return place && { lat: place.latitude, lon: place.longitude };
}

/** Uses the table of postal codes, else the centroid of the members with that code. */
export function createPostalCodeLocator(members: Pick<MemberIndex, 'centroidOf'>): PostalCodeLocator {
  return {
    find: async (zip, country) => fromGazetteer(zip, country) ?? (await members.centroidOf(zip, country)),
  };
}
