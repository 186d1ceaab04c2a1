import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import type { Position } from '@covalence/contract/position';
import { postalPlace } from '@covalence/geography/postal-places';
import type { SearchCenter } from '../criteria/parse-forms.ts';
import type { MemberIndex } from '../index/member-index.ts';
import type { Viewer } from '../criteria/relations.ts';

type Members = Pick<MemberIndex, 'centroidOf'>;

/** The position of a postal key by the table of postal codes; null if unknown. */
export function postalPosition(zip: string, country: string): Position | null {
  const place = postalPlace(zip, country);
  return place && { lat: place.latitude, lon: place.longitude };
}

/** Locates a postal key by the table, else by the members with that code; null if unknown. */
export const locatePostalCode = async (
  zip: string,
  country: string,
  members: Members,
): Promise<Position | null> => postalPosition(zip, country) ?? members.centroidOf(zip, country);

/** The position of a search center; null if the viewer has none. Throws 31006 for an unknown postal code. */
export async function positionOf(
  center: SearchCenter,
  viewer: Viewer,
  members: Members,
): Promise<Position | null> {
  if (center.kind === 'self') return viewer.position;
  if (center.kind === 'point') return center.position;
  const place = await locatePostalCode(center.zip, center.country, members);
  if (!place) throw invalidArgument(failCodes.locationInvalid);
  return place;
}
