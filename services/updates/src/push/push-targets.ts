import type { pushTargets } from '@covalence/contract/internal/profile-api';
import type { z } from 'zod';
import type { ProfilePeer } from './profile-peer.ts';

/** A member who can be told, and on which devices. */
export type Target = z.output<typeof pushTargets.output>['targets'][number];

/** Those of some members who can be told, by id; a member may be named several times. */
export async function targetsOf(
  members: Iterable<number>,
  profile: Pick<ProfilePeer, 'pushTargets'>,
): Promise<ReadonlyMap<number, Target>> {
  const { targets } = await profile.pushTargets({ ids: [...new Set(members)] });
  return new Map(targets.map((target) => [target.id, target]));
}
