import type { Bar } from '@covalence/contract/admission-flag';
import { accessTokenSeconds } from '@covalence/contract/redis-keys';
import type { Context } from '../context.ts';
import type { Member } from './document/member.ts';

/** Why the member's tokens are refused now, or undefined where they are good. */
export function barOf(member: Member, now: Date): Bar | undefined {
  if (member.suspended || member.deleted) return 'ended';
  if (member.deactivated) return 'deactivated';
  const { tokens_ended_at: ended } = member;
  if (!ended || now.getTime() - ended.getTime() >= accessTokenSeconds * 1000) return undefined;
  return { endedBefore: endedSecond(ended) };
}

/** Tokens carry whole seconds; those issued before this one are over. */
export function endedSecond(ended: Date): number {
  return Math.floor(ended.getTime() / 1000);
}

/**
 * Sets or clears the flag that admission reads. The database is the truth: while Redis is away nothing fails, and
 * the job of `repeat-flags.ts` repeats it.
 */
export async function flagAdmission(
  { presence, logger, clock }: Pick<Context, 'presence' | 'logger' | 'clock'>,
  member: Member,
): Promise<void> {
  try {
    await presence.setBar(member._id, barOf(member, clock()));
  } catch (error) {
    logger.warn({ err: error, member: member._id }, 'the admission flag is left to the repeating job');
  }
}
