import { accessTokenSeconds, flagSeconds } from '@covalence/contract/redis-keys';
import type { Context } from '../context.ts';
import { barOf } from './flag-admission.ts';

/** Seconds that the flags count as complete after a round; rounds follow each other in a few seconds. */
const completeSeconds = 60;

/**
 * Makes the admission flags in Redis equal to the members again, for everyone whose admission changed lately: what failed
 * while Redis was away. Where Redis has lost its memory, for everyone whose flag would still be there (design, Deactivation).
 */
export async function repeatFlags({
  members,
  presence,
  clock,
}: Pick<Context, 'members' | 'presence' | 'clock'>): Promise<void> {
  const seconds = (await presence.flagsComplete(completeSeconds)) ? accessTokenSeconds : flagSeconds;
  const since = new Date(clock().getTime() - seconds * 1000);
  for (const member of await members.deactivationsSince(since)) {
    await presence.setBar(member._id, barOf(member, clock()));
  }
  await presence.setFlagsComplete(completeSeconds);
}
