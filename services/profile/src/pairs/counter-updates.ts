import type { ActivityCounters } from '@covalence/contract/activity-counters';
import { newEvent } from '@covalence/events/new-event';
import type { Publisher } from '@covalence/events/publisher';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { setTimeout as wait } from 'node:timers/promises';
import type { PresenceStore } from '../members/store/presence-store.ts';

/** What counter updates need. */
export interface CounterUpdatesOptions {
  readonly read: (member: number) => Promise<ActivityCounters | undefined>;
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
    const data = await read(member);
    if (!data) return;
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
