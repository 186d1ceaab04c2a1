import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';

/**
 * Sets or clears the flag that admission reads. The database is the truth: while Redis is away nothing fails, and
 * the job of `repeat-flags.ts` repeats it.
 */
export async function flagDeactivated(
  { presence, logger }: Pick<Context, 'presence' | 'logger'>,
  { _id, deactivated }: Pick<Member, '_id' | 'deactivated'>,
): Promise<void> {
  try {
    await presence.setDeactivated(_id, deactivated);
  } catch (error) {
    logger.warn({ err: error, member: _id }, 'the deactivated flag is left to the repeating job');
  }
}
