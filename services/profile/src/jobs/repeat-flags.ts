import { accessTokenSeconds } from '@covalence/contract/redis-keys';
import type { Context } from '../context.ts';

/**
 * Makes the deactivated flags in Redis equal to the members again, for everyone who was deactivated or reactivated within
 * a token's lifetime: what failed while Redis was away, or was lost with its memory (design, Deactivation).
 */
export async function repeatFlags({ members, presence, clock }: Context): Promise<void> {
  const since = new Date(clock().getTime() - accessTokenSeconds * 1000);
  for (const { _id, deactivated } of await members.deactivationsSince(since)) {
    await presence.setDeactivated(_id, deactivated);
  }
}
