import { activityCounters, type ActivityCounters } from '@covalence/contract/activity-counters';
import { z } from 'zod';
import { newEvent } from '@covalence/events/new-event';
import type { Publisher } from '@covalence/events/publisher';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { setTimeout as wait } from 'node:timers/promises';
import type { ActivityStore } from './activity-store.ts';
import type { PairStore } from './pair-store.ts';
import type { PresenceStore } from '../members/store/presence-store.ts';

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

interface CounterUpdatesOptions {
  readonly read: (member: number) => Promise<ActivityCounters>;
  readonly presence: Pick<PresenceStore, 'read'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Changes of one member's counters within this time cause one update. */
const collectMs = 50;

/**
 * Creates the updates. Counters are read when they are sent, so that the last update is right. Members without an open
 * socket cause no reads. An update that is lost with the process or the broker comes with the next change.
 */
export function createCounterUpdates(options: CounterUpdatesOptions) {
  const { read, presence, publisher, logger, clock } = options;
  const waiting = new Set<number>();
  let sending: Promise<void> | undefined;

  const send = async (member: number) => {
    const data = { ...(await read(member)) };
    const at = clock();
    await publisher.publish(newEvent({ type: 'counters.changed', member, version: at.getTime(), at, data }));
  };

  const sendAll = async () => {
    while (waiting.size) {
      await wait(collectMs);
      const members = [...waiting];
      waiting.clear();
      const sightings = await presence.read(members, clock());
      const connected = members.filter((member) => sightings.get(member)?.present);
      for (const result of await Promise.allSettled(connected.map(send))) {
        if (result.status === 'rejected') logger.warn({ err: result.reason }, 'counter update was not sent');
      }
    }
    sending = undefined;
  };

  return {
    schedule(members: readonly number[]): void {
      for (const member of members) waiting.add(member);
      if (waiting.size) sending ??= sendAll();
    },
    close: async () => sending,
  };
}
