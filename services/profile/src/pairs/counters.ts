import { activityCounters, type ActivityCounters } from '@covalence/contract/activity-counters';
import { z } from 'zod';
import type { ActivityStore } from './activity-store.ts';
import type { PairStore } from './pair-store.ts';

/** Activity counters as an answer. */
export const countersSchema: z.ZodType<ActivityCounters> = z.object(activityCounters).meta({
  id: 'ActivityCounters',
  description: 'Connections, received likes and views: in total, and since the last reset.',
});

/** Reads a member's counters. Connections and received likes are counted from the pairs, so that they never drift. */
export async function readCounters(
  { activity, store }: { readonly activity: ActivityStore; readonly store: PairStore },
  member: number,
): Promise<ActivityCounters> {
  const { connections_reset, likedme_reset, views_total, views_since_reset } = await activity.read(member);
  const [connections, likedme] = await Promise.all([
    store.countConnections(member, connections_reset),
    store.countReceivedLikes(member, likedme_reset),
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
