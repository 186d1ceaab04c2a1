import type { ActivityCounters } from '@covalence/contract/activity-counters';
import { newEvent } from '@covalence/events/new-event';
import type { Publisher } from '@covalence/events/publisher';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { setTimeout as wait } from 'node:timers/promises';
import type { PresenceStore } from '../members/store/presence-store.ts';

/** Tells members of their activity counters while they are connected. */
export interface CounterNews {
  /** The counters of these members may have changed. */
  soon(members: readonly number[]): void;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** What the news are made of. */
export interface CounterNewsOptions {
  readonly read: (member: number) => Promise<ActivityCounters>;
  readonly presence: Pick<PresenceStore, 'read'>;
  readonly publisher: Pick<Publisher, 'publish'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Changes of a member's counters within this time are told as one. */
const gatheredMs = 50;

/**
 * Creates it. Counters are read when they are told, so that what is told last is right; who holds no socket is told nothing,
 * because counting costs more than what it counts. News that are lost with a process or a broker come with the
 * next change: nothing but the client's display depends on them.
 */
export function createCounterNews(options: CounterNewsOptions): CounterNews {
  const { read, presence, publisher, logger, clock } = options;
  const waiting = new Set<number>();
  let telling: Promise<void> | undefined;

  const tell = async (member: number) => {
    const data = { ...(await read(member)) };
    const at = clock();
    await publisher.publish(newEvent({ type: 'counters.changed', member, version: at.getTime(), at, data }));
  };

  const tellAll = async () => {
    while (waiting.size) {
      await wait(gatheredMs);
      const members = [...waiting];
      waiting.clear();
      const sightings = await presence.read(members, clock());
      const connected = members.filter((member) => sightings.get(member)?.present);
      for (const result of await Promise.allSettled(connected.map(tell))) {
        if (result.status === 'rejected') logger.warn({ err: result.reason }, 'counters were not told');
      }
    }
    telling = undefined;
  };

  return {
    soon(members) {
      for (const member of members) waiting.add(member);
      if (waiting.size) telling ??= tellAll();
    },
    close: async () => telling,
  };
}
