import { activityCounters, type ActivityCounters } from '@covalence/contract/activity-counters';
import { z } from 'zod';
import type { PairStore } from './pair-store.ts';
import type { ActivityStore } from './activity-store.ts';

/** Activity counters, as an answer. */
export const countersSchema: z.ZodType<ActivityCounters> = z
  .object(activityCounters)
  .meta({ id: 'ActivityCounters', description: 'Spec 2.7.' });

/** A member's counters: connections and received likes counted from the pair records, so that they never drift. */
export async function readCounters(
  { activity, pairs }: { readonly activity: ActivityStore; readonly pairs: PairStore },
  member: number,
): Promise<ActivityCounters> {
  const { connections_reset, likedme_reset, views_total, views_since_reset } = await activity.read(member);
  const [connections, likedme] = await Promise.all([
    pairs.connections(member, connections_reset),
    pairs.awaiting(member, likedme_reset),
  ]);
  return {
    connections_since_reset: connections.since,
    connections_total: connections.total,
    likedme_since_reset: likedme.since,
    likedme_total: likedme.total,
    views_since_reset,
    views_total,
  };
}
