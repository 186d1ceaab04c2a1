import type { pushTargets } from '@covalence/contract/internal/profile-api';
import type { z } from 'zod';
import type { ProfilePeer } from './profile-peer.ts';

/** A member with the devices that take push messages. */
export type Target = z.output<typeof pushTargets.output>['targets'][number];

/** The members who have such devices, by id; ids may repeat. */
export async function targetsOf(
  members: Iterable<number>,
  profile: Pick<ProfilePeer, 'pushTargets'>,
): Promise<ReadonlyMap<number, Target>> {
  const { targets } = await profile.pushTargets({ ids: [...new Set(members)] });
  return new Map(targets.map((target) => [target.id, target]));
}
