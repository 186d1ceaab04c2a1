import { always, type MayGoOn } from '@covalence/events/periodic';
import type { Context } from '../context.ts';
import { eraseMember } from '../privacy/erase-member.ts';

const batch = 20;

/**
 * Erases the members whose time has come and takes up what a crash left. One that fails, because a service is away, is
 * logged and keeps none of the others back; the next round tries it again.
 */
export async function eraseMembers(context: Context, mayGoOn: MayGoOn = always): Promise<void> {
  const { members, erasures, clock, logger } = context;
  const [left, due] = await Promise.all([erasures.underWay(batch), members.dueForErasure(clock(), batch)]);
  const subjects = new Map([...left, ...due].map(({ _id, member_id }) => [_id, member_id]));
  for (const [id, member_id] of subjects) {
    if (!(await mayGoOn())) return;
    await eraseMember(context, { id, member_id }).catch((error: unknown) =>
      logger.warn({ err: error }, 'an erasure is left to the next round'),
    );
  }
}
