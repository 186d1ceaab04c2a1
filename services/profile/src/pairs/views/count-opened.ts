import { tooManyRequests } from '@covalence/contract/failure';
import { dayOf } from '../daily-limit.ts';
import type { PairsContext } from '../pairs.ts';
import { siteOf } from '../../members/members.ts';
import type { Member } from '../../members/document/member.ts';

/**
 * Counts a member whose profile or photos the viewer opens, once a day. Throws 429 beyond the limit of the viewer's
 * site. A call that fails later keeps the count, because the same member can be opened again.
 */
export async function countOpened(
  context: Pick<PairsContext, 'sites' | 'pairs' | 'clock'>,
  viewer: Member,
  opened: Member,
): Promise<void> {
  const limit = siteOf(context, viewer.siteid).views_per_day;
  if (limit === undefined) return;
  const { day, secondsLeft } = dayOf(viewer, context.clock());
  const isWithin = await context.pairs.quotas.views.takeOnce(viewer._id, day, limit, opened._id);
  if (!isWithin) throw tooManyRequests(secondsLeft);
}
