import type { pushTargets } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import type { z } from 'zod';

/** A member with the devices that take push messages. */
export type Target = z.output<typeof pushTargets.output>['targets'][number];

/** The members who have such devices, by id; ids may repeat. */
export async function targetsOf(
  members: Iterable<number>,
  profile: Pick<Peer<'profile'>, 'pushTargets'>,
): Promise<ReadonlyMap<number, Target>> {
  const { targets } = await profile.pushTargets({ ids: [...new Set(members)] });
  return new Map(targets.map((target) => [target.id, target]));
}
