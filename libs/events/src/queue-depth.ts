import type { Metrics } from '@covalence/runtime/metrics';
import type { Channel } from 'amqplib';
import type { Broker } from './broker.ts';
import { deadQueueOf, declareTopology, queueOf, type QueueName } from './topology.ts';

/** Keeps the metric of how many messages wait in a queue and among its dead letters, while the broker is there. */
export function watchDepth(options: {
  readonly broker: Broker;
  readonly queue: QueueName;
  readonly metrics: Metrics;
  readonly everyMs: number;
}): { close(): Promise<void> } {
  const { broker, queue, metrics, everyMs } = options;
  const states = {
    ready: queueOf(broker.namespace, queue),
    dead: deadQueueOf(broker.namespace, queue),
  };
  let timer: NodeJS.Timeout | undefined;

  const look = async (channel: Channel): Promise<void> => {
    for (const [state, name] of Object.entries(states)) {
      const { messageCount } = await channel.checkQueue(name);
      metrics.queueMessages.set({ queue, state }, messageCount);
    }
  };
  const lookOn = (channel: Channel): void => {
    clearTimeout(timer);
    // A channel that was lost is set up again, which begins anew.
    look(channel).then(
      () => (timer = setTimeout(lookOn, everyMs, channel).unref()),
      () => undefined,
    );
  };

  const wrapper = broker.openChannel({
    setup: async (channel) => {
      await declareTopology(channel, broker.namespace);
      lookOn(channel);
    },
  });
  return {
    async close() {
      clearTimeout(timer);
      await wrapper.close();
    },
  };
}
