import type { Broker } from '@covalence/events/broker';
import { queueOf } from '@covalence/events/topology';
import type { Event } from '@covalence/contract/events';
import type { Peer } from '@covalence/http/peer';
import { memberDocument } from './member-document.ts';
import type { MemberIndex } from './member-index.ts';

/** A store with data of members. */
interface MemberData {
  /** Deletes everything of members who are gone. */
  forget(members: readonly number[]): Promise<void>;
}

/**
 * Handles member.*: fetches the members of a batch of events and writes them to the index. Documents have versions, so repeated or
 * late events change nothing. Deletes the data of deleted members. Throws, after the others are written, for members whose
 * projection profile cannot make: their events become dead letters.
 */
export function onMemberChanged(
  profile: Peer<'profile'>,
  members: MemberIndex,
  stores: readonly MemberData[],
): (events: Event[]) => Promise<void> {
  return async (events) => {
    const ids = [...new Set(events.map(({ member }) => member))];
    const { projections, broken } = await profile.readProjections({ ids });
    await members.writeAll(projections.map(memberDocument));
    const gone = projections.filter(({ deleted }) => deleted).map(({ id }) => id);
    if (gone.length) await Promise.all(stores.map((store) => store.forget(gone)));
    if (broken.length) throw new Error(`profile cannot make a projection of ${broken.join(', ')}`);
  };
}

const limitMs = 5_000;

/** Counts the events that wait for the index, without those being handled. Rejects while RabbitMQ is down. */
export async function waitingEvents(broker: Broker): Promise<number> {
  const channel = broker.openChannel({ setup: (each) => broker.prepare(each) });
  try {
    const late = AbortSignal.timeout(limitMs);
    const { promise, reject } = Promise.withResolvers<never>();
    late.addEventListener('abort', () => reject(new Error('rabbitmq did not answer in time')));
    const queue = await Promise.race([
      channel.waitForConnect().then(() => channel.checkQueue(queueOf(broker.namespace, 'search.index'))),
      promise,
    ]);
    return queue.messageCount;
  } finally {
    await channel.close();
  }
}
