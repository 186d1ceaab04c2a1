import { claimId, skeletonId } from './claim-id.ts';
import type { Claim } from './claim-store.ts';
import { looksOf } from './look-alikes.ts';

/** A claim without its owner. */
export type Name = Pick<Claim, '_id' | 'skeleton'>;

/**
 * The claims of a username on a site: the name and, unless it is plain Latin, each of its skeletons. A plain Latin
 * name only records its skeleton, because plain Latin names never conflict with each other.
 */
export function usernameClaims(siteid: number, username: string): Name[] {
  const { plain, skeletons } = looksOf(username);
  const ids = skeletons.map((skeleton) => skeletonId(siteid, skeleton));
  const _id = claimId(siteid, 'username', username);
  return plain ? [{ _id, skeleton: ids[0] }] : [{ _id }, ...ids.map((id) => ({ _id: id }))];
}

/** Skeletons with which a plain Latin name conflicts with this username; none when it is plain Latin itself. */
export function plainLookAlikes(siteid: number, username: string): string[] {
  const { plain, skeletons } = looksOf(username);
  return plain ? [] : skeletons.map((skeleton) => skeletonId(siteid, skeleton));
}
