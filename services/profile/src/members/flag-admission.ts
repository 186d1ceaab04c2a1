import type { Bar } from '@covalence/contract/admission-flag';
import { accessTokenSeconds, flagSeconds } from '@covalence/contract/redis-keys';
import type { Member } from './document/member.ts';
import type { MembersContext } from './members.ts';

/** Why the member's tokens are refused now, or undefined where they are valid. */
function barOf(member: Member, now: Date): Bar | undefined {
  if (member.suspended || member.deleted) return 'ended';
  if (member.deactivated) return 'deactivated';
  const { tokens_ended_at: ended } = member;
  if (!ended || now.getTime() - ended.getTime() >= accessTokenSeconds * 1000) return undefined;
  return { endedBefore: endedSecond(ended) };
}

/** The second before which issued tokens are revoked; tokens carry whole seconds. */
export function endedSecond(ended: Date): number {
  return Math.floor(ended.getTime() / 1000);
}

/**
 * Sets or clears the flag that admission reads. The database is the truth: while Redis is down nothing fails, and
 * `repeatFlags` sets the flag later.
 */
export async function flagAdmission(
  { members, logger, clock }: Pick<MembersContext, 'members' | 'logger' | 'clock'>,
  member: Member,
): Promise<void> {
  try {
    await members.presence.setBar(member._id, barOf(member, clock()));
  } catch (error) {
    logger.warn(
      { err: error, member: member._id },
      'admission flag not set; the job deactivated-flags retries',
    );
  }
}

/** Seconds that the flags count as complete after a round; rounds follow each other in a few seconds. */
const completeSeconds = 60;

/**
 * Job: sets the admission flags in Redis again from the database, for members whose admission changed within the lifetime of
 * an access token. After Redis lost its data it sets every flag that would still exist.
 */
export async function repeatFlags({
  members: { store, presence },
  clock,
}: Pick<MembersContext, 'members' | 'clock'>): Promise<void> {
  const seconds = (await presence.flagsComplete(completeSeconds)) ? accessTokenSeconds : flagSeconds;
  const since = new Date(clock().getTime() - seconds * 1000);
  for (const member of await store.deactivationsSince(since)) {
    await presence.setBar(member._id, barOf(member, clock()));
  }
  await presence.setFlagsComplete(completeSeconds);
}
