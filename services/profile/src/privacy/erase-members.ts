import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Context } from '../context.ts';
import { eraseMember } from './erase-member.ts';

const batch = 20;

/**
 * Erases the members whose time has come and takes up what a crash left. One that fails, because a service is away, is
 * logged and keeps none of the others back; the next round tries it again. Resolves with how many failed.
 */
export async function eraseMembers(context: Context, mayGoOn: MayGoOn = always): Promise<number> {
  const { members, erasures, clock, logger } = context;
  const [left, due] = await Promise.all([erasures.underWay(batch), members.dueForErasure(clock(), batch)]);
  const subjects = new Map([...left, ...due].map(({ _id, member_id }) => [_id, member_id]));
  return eachPart(subjects, ([id, member_id]) => eraseMember(context, { id, member_id }), {
    mayGoOn,
    logger,
    left: 'an erasure is left to the next round',
  });
}
