import { takeMembership } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { takenOver } from './membership.ts';

/**
 * POST /internal/memberships/take: billing says what a membership is, so that the record is right with billing's own answer
 *; membership.changed says it again. Idempotent by version; an unknown member changes nothing.
 */
export const takeMembershipEndpoint = endpoint({
  access: 'service',
  summary: 'Take over a membership',
  ...takeMembership,
  async handler({ input: { member: id, membership } }, context: Context) {
    await context.members.change(id, (member) => takenOver(member, membership, membership.version));
    return {};
  },
});
