import type { Peer } from '@covalence/http/peer';
import type { Logger } from '@covalence/runtime/logger';
import { currentMembershipOf, type Membership } from './membership.ts';

/**
 * Updates the member's record in profile at once, so that the caller's next request shows the membership. Never throws: if profile is
 * unavailable, membership.changed updates the record.
 */
export async function showMembership(
  found: Membership | undefined,
  { profile, logger }: { readonly profile: Pick<Peer<'profile'>, 'takeMembership'>; readonly logger: Logger },
): Promise<void> {
  if (!found) return;
  const membership = currentMembershipOf(found);
  await profile.takeMembership({ member: found.member, membership }).catch((error: unknown) => {
    logger.warn({ err: error }, 'updating a record failed: membership.changed will update it');
  });
}
