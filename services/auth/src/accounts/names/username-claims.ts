import type { Claim } from '../account.ts';
import { claimId, skeletonId } from './claim-id.ts';
import { looksOf } from './look-alikes.ts';

/** What is claimed of a name: the claim's id, and what a plain Latin username looks like. */
export type Name = Pick<Claim, '_id' | 'skeleton'>;

/**
 * What a username claims on a site: itself, and, where it is no plain Latin one, each of its skeletons for itself alone. A
 * plain Latin one only says what it looks like, because plain Latin names never stand in each other's way.
 */
export function usernameClaims(siteid: number, username: string): Name[] {
  const { plain, skeletons } = looksOf(username);
  const ids = skeletons.map((skeleton) => skeletonId(siteid, skeleton));
  const _id = claimId(siteid, 'username', username);
  return plain ? [{ _id, skeleton: ids[0] }] : [{ _id }, ...ids.map((id) => ({ _id: id }))];
}

/** The skeletons under which plain Latin names stand in the way of a username; none where it is one itself. */
export function plainLookAlikes(siteid: number, username: string): string[] {
  const { plain, skeletons } = looksOf(username);
  return plain ? [] : skeletons.map((skeleton) => skeletonId(siteid, skeleton));
}
