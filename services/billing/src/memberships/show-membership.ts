import type { Peer } from '@covalence/http/peer';
import type { Logger } from '@covalence/runtime/logger';
import { currentMembershipOf, type Membership } from './membership.ts';
import type { MembershipStore } from './membership-store.ts';

/** Dependencies of showing a membership. */
interface ShowContext {
  readonly memberships: MembershipStore;
  readonly profile: Pick<Peer<'profile'>, 'takeMembership'>;
  readonly logger: Logger;
}

/**
 * Reads a membership and updates the member's record in profile at once, so that the caller's next request shows it. If profile is
 * unavailable, membership.changed updates the record.
 */
export async function showMembership(
  member: number,
  { memberships, profile, logger }: ShowContext,
): Promise<Membership | undefined> {
  const found = await memberships.find(member);
  if (found)
    await profile
      .takeMembership({ member, membership: currentMembershipOf(found) })
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'updating a record failed: membership.changed will update it'),
      );
  return found;
}
