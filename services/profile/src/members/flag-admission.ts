import type { Bar } from '@covalence/contract/admission-flag';
import { accessTokenSeconds, flagSeconds } from '@covalence/contract/redis-keys';
import { chunks } from '@covalence/runtime/chunks';
import { settle } from '@covalence/runtime/settle';
import type { Member } from './document/member.ts';
import type { MembersContext } from './members.ts';

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

/** Sets or clears the flag that admission reads. While Redis is down nothing fails, and `repeatFlags` sets it later. */
export async function flagAdmission(context: MembersContext, member: Member): Promise<void> {
  const { members, logger, clock } = context;
  try {
    await members.presence.setBar(member._id, barOf(member, clock()));
  } catch (error) {
    const facts = { err: error, member: member._id };
    logger.warn(facts, 'admission flag not set; the job deactivated-flags retries');
  }
}

/** Seconds that the flags count as complete after a round; rounds follow each other in a few seconds. */
const completeSeconds = 60;

/** Flags that are set together. */
const perRound = 100;

/**
 * Job: sets flags again that changed within the lifetime of an access token; after Redis lost its data, every flag. A server of a
 * cluster that is down does not stop those of the others; the flags are complete when each is set.
 */
export async function repeatFlags({ members: { store, presence }, clock }: MembersContext): Promise<void> {
  const failures: unknown[] = [];
  const failed = (error: unknown) => {
    failures.push(error);
    return false;
  };
  const isComplete = await presence.flagsComplete(completeSeconds).catch(failed);
  const seconds = isComplete ? accessTokenSeconds : flagSeconds;
  const since = new Date(clock().getTime() - seconds * 1000);
  for (const some of chunks(await store.deactivationsSince(since), perRound)) {
    await settle(some.map((member) => presence.setBar(member._id, barOf(member, clock())))).catch(failed);
  }
  if (failures.length) throw failures[0];
  await presence.setFlagsComplete(completeSeconds);
}
