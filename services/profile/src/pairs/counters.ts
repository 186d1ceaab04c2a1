import { activityCounters, type ActivityCounters } from '@covalence/contract/activity-counters';
import type { Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Member } from '../members/document/member.ts';
import { noRelation } from '../record/fields/relation.ts';
import { checkCaller } from '../members/member-endpoint.ts';
import { openTo } from './eligibility.ts';
import type { PairsContext } from './pairs.ts';

/** Activity counters as an answer. */
export const countersSchema: z.ZodType<ActivityCounters> = z.object(activityCounters).meta({
  id: 'ActivityCounters',
  description: 'Connections, received likes and views: in total, and since the last reset.',
});

/** Those of the others whose profile the viewer may open: the activity lists show only them. A block ends likes and connections. */
const openMembers = (context: PairsContext, viewer: number, listed: readonly { readonly other: number }[]) =>
  openTo(
    context,
    viewer,
    listed.map(({ other }) => other),
    () => noRelation,
  );

/** The stored counters of a member, and the others and times of all connections and received likes. */
const readActivity = ({ pairs: { activity, store } }: PairsContext, member: number) =>
  Promise.all([activity.read(member), store.timesOfConnections(member), store.timesOfReceivedLikes(member)]);

/** Reads the counters of a member by number. Connections and received likes are counted from the pairs, as the activity lists show them. */
async function readCounters(context: PairsContext, id: number) {
  const [read, connections, likes] = await readActivity(context, id);
  const { viewer, open } = await openMembers(context, id, [...connections, ...likes]);
  const shownOf = (all: typeof connections) => all.filter(({ other }) => open.has(other));
  const sinceOf = (all: typeof connections, reset: Date) => all.filter(({ at }) => at && at > reset);
  const [connected, likedme] = [shownOf(connections), shownOf(likes)];
  const counters: ActivityCounters = {
    connections_since_reset: sinceOf(connected, read.connections_reset).length,
    connections_total: connected.length,
    likedme_since_reset: sinceOf(likedme, read.likedme_reset).length,
    likedme_total: likedme.length,
    views_since_reset: read.views_since_reset,
    views_total: read.views_total,
  };
  return { viewer, counters };
}

/** The counters of the member who calls, read with the member. Throws what `checkCaller` throws. */
export async function countersOfCaller(context: PairsContext, caller: Caller): Promise<ActivityCounters> {
  const { viewer, counters } = await readCounters(context, caller.id);
  checkCaller(viewer, caller);
  return counters;
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
  const { open } = await openMembers(context, viewer._id, [...connections, ...likes]);
  const countOf = (all: typeof likes) => all.filter(({ other }) => open.has(other)).length;
  return { connections: countOf(connections), likes: countOf(likes) };
}

/** The counters of a member by number; undefined where there is no such member. */
export async function readCountersOf(context: PairsContext, id: number) {
  const { viewer, counters } = await readCounters(context, id);
  return viewer && counters;
}
