import { countStaffView } from '@covalence/contract/peers/profile-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { claimTimes } from './hold-claim.ts';
import type { ModerationContext } from './moderation.ts';

/**
 * Counts that a staff account reads data of a member, once an hour, and resolves with true; throws 429 beyond the limit. Extends the
 * claims of the account on entries about the member instead, if there are any.
 */
export async function openMember(
  context: ModerationContext,
  member: number,
  staff: string,
): Promise<boolean> {
  const { claims, searchLimit } = context.moderation;
  const { now, until } = claimTimes(context);
  const own = await claims.of(staff, now);
  if (own.some(({ about }) => about.includes(member))) {
    await claims.extend({ about: member }, staff, until, now);
    return false;
  }
  await searchLimit.countOnce(staff, member);
  return true;
}

/** POST /internal/staff/view: the same for data that another service has. */
export const countViewElsewhere = serviceEndpoint(
  countStaffView,
  async ({ staff, member }, context: ModerationContext) => {
    await openMember(context, member, staff);
    return {};
  },
);
