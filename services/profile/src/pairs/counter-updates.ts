import type { ActivityCounters } from '@covalence/contract/activity-counters';
import { newEvent } from '@covalence/events/new-event';
import type { Publisher } from '@covalence/events/publisher';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { setTimeout as wait } from 'node:timers/promises';
import type { PresenceStore } from '../members/store/presence-store.ts';

/** Dependencies of the counter updates. */
export interface CounterUpdatesOptions {
  readonly read: (member: number) => Promise<ActivityCounters | undefined>;
  readonly presence: Pick<PresenceStore, 'read'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Changes of one member's counters within this time cause one update. */
const collectMs = 50;

/** A member's next read begins after this many times the duration of the last one: counting many likes takes long. */
const restFactor = 9;

/**
 * Creates the updates. Counters are read when they are sent, so that the last update is right. Members without an open
 * socket cause no reads, and one member's reads take a tenth of the time at most. An update that is lost with the process or the broker comes with the next change.
 */
export function createCounterUpdates(options: CounterUpdatesOptions) {
  const { read, presence, publisher, logger, clock } = options;
  const waiting = new Set<number>();
  const restsUntil = new Map<number, number>();
  let isClosing = false;
  let sending: Promise<void> | undefined;

  const countersOf = async (member: number) => {
    const began = clock().getTime();
    const data = await read(member);
    const ended = clock().getTime();
    restsUntil.set(member, ended + (ended - began) * restFactor);
    return data;
  };

  const send = async (member: number) => {
    const data = await countersOf(member);
    if (!data) return;
    const at = clock();
    await publisher.publish(newEvent({ type: 'counters.changed', member, version: at.getTime(), at, data }));
  };

  const sendAll = async () => {
    while (waiting.size) {
      await wait(collectMs);
      const now = clock().getTime();
      for (const [member, end] of restsUntil) if (end <= now || isClosing) restsUntil.delete(member);
      const members = [...waiting].filter((member) => !restsUntil.has(member));
      for (const member of members) waiting.delete(member);
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
    /** Sends what waits, also for members whose next read is not due. */
    close: async () => {
      isClosing = true;
      await sending;
    },
  };
}
