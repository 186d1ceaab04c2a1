import type { ServiceStatus } from '@covalence/contract/peers/operations-api';
import type { Broker } from './broker.ts';
import { deadQueueOf, queueOf, type QueueName } from './topology.ts';

const limitMs = 1_500;

/** The number of messages, dead letters and consumers of some queues. */
export function queueStates(broker: Broker, names: readonly QueueName[]): Promise<ServiceStatus['queues']> {
  return broker.onChannel(limitMs, async (channel) => {
    const states = [];
    for (const queue of names) {
      const { messageCount: ready, consumerCount: consumers } = await channel.checkQueue(
        queueOf(broker.namespace, queue),
      );
      const { messageCount: dead } = await channel.checkQueue(deadQueueOf(broker.namespace, queue));
      states.push({ queue, ready, consumers, dead });
    }
    return states;
  });
}
