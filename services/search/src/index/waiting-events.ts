import type { Broker } from '@covalence/events/broker';
import { queueOf } from '@covalence/events/topology';

const limitMs = 5_000;

/** How many events wait for the index, those a process is working on left aside. Rejects while the broker is away. */
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
