import type { Peer } from '@covalence/http/peer';
import type { Logger } from '@covalence/runtime/logger';
import { toldVersionOf, type Membership } from './membership.ts';

/**
 * Has the member's record show a membership as it is, so that whoever changed it sees that with the next call. Never
 * throws: where profile is away the record follows by membership.changed.
 */
export async function showMembership(
  found: Membership | undefined,
  { profile, logger }: { readonly profile: Pick<Peer<'profile'>, 'takeMembership'>; readonly logger: Logger },
): Promise<void> {
  if (!found) return;
  const membership = toldVersionOf(found);
  await profile.takeMembership({ member: found.member, membership }).catch((error: unknown) => {
    logger.warn({ err: error }, 'record not told of a membership, it follows by event');
  });
}
