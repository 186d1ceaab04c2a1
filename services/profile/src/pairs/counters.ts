import { activityCounters, type ActivityCounters } from '@covalence/contract/activity-counters';
import { z } from 'zod';
import type { Member } from '../members/document/member.ts';
import { noRelation } from '../record/fields/relation.ts';
import { openTo } from './eligibility.ts';
import type { PairsContext } from './pairs.ts';

/** Activity counters as an answer. */
export const countersSchema: z.ZodType<ActivityCounters> = z.object(activityCounters).meta({
  id: 'ActivityCounters',
  description: 'Connections, received likes and views: in total, and since the last reset.',
});

/** Those of the others whose profile the viewer may open: the activity lists show only them. A block ends likes and connections. */
const openMembers = (context: PairsContext, viewer: Member, listed: readonly { readonly other: number }[]) =>
  openTo(context, viewer, new Set(listed.map(({ other }) => other)), () => noRelation);

/** The stored counters of a member, and the others and times of all connections and received likes. */
const readActivity = ({ pairs: { activity, store } }: PairsContext, member: number) =>
  Promise.all([activity.read(member), store.timesOfConnections(member), store.timesOfReceivedLikes(member)]);

/** Reads a member's counters. Connections and received likes are counted from the pairs, as the activity lists show them. */
export async function readCounters(context: PairsContext, viewer: Member): Promise<ActivityCounters> {
  const [read, connections, likes] = await readActivity(context, viewer._id);
  const open = await openMembers(context, viewer, [...connections, ...likes]);
  const shownOf = (all: typeof connections) => all.filter(({ other }) => open.has(other));
  const sinceOf = (all: typeof connections, reset: Date) => all.filter(({ at }) => at && at > reset);
  const [connected, likedme] = [shownOf(connections), shownOf(likes)];
  return {
    connections_since_reset: sinceOf(connected, read.connections_reset).length,
    connections_total: connected.length,
    likedme_since_reset: sinceOf(likedme, read.likedme_reset).length,
    likedme_total: likedme.length,
    views_since_reset: read.views_since_reset,
    views_total: read.views_total,
  };
}

/** The connections and received likes of a time that the member has not looked at, as the activity lists show them. */
export async function countNew(
  context: PairsContext,
  viewer: Member,
  after: Date,
  upTo: Date,
): Promise<{ readonly connections: number; readonly likes: number }> {
  const [read, allConnections, allLikes] = await readActivity(context, viewer._id);
  const newOf = (all: typeof allLikes, reset: Date) =>
    all.filter(({ at }) => at && at > after && at <= upTo && at > reset);
  const connections = newOf(allConnections, read.connections_reset);
  const likes = newOf(allLikes, read.likedme_reset);
  const open = await openMembers(context, viewer, [...connections, ...likes]);
  const countOf = (all: typeof likes) => all.filter(({ other }) => open.has(other)).length;
  return { connections: countOf(connections), likes: countOf(likes) };
}

/** The counters of a member by number; undefined where there is no such member. */
export async function readCountersOf(context: PairsContext, id: number) {
  const [viewer] = await context.members.store.eligibilityOf([id]);
  return viewer && readCounters(context, viewer);
}
