import { accessTokenSeconds } from '@covalence/contract/redis-keys';
import type { Context } from '../context.ts';
import { barOf } from '../members/flag-admission.ts';

/**
 * Makes the admission flags in Redis equal to the members again, for everyone whose admission changed within
 * a token's lifetime: what failed while Redis was away, or was lost with its memory (design, Deactivation).
 */
export async function repeatFlags({ members, presence, clock }: Context): Promise<void> {
  const since = new Date(clock().getTime() - accessTokenSeconds * 1000);
  for (const member of await members.deactivationsSince(since)) {
    await presence.setBar(member._id, barOf(member, clock()));
  }
}
