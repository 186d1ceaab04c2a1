import type { Metrics } from '@covalence/runtime/metrics';
import type { Channel } from 'amqplib';
import { deadQueueOf, queueOf, type QueueName } from './topology.ts';

/** Measures how many messages wait in a queue, in its consumer and among its dead letters. */
export function watchDepth(options: {
  readonly namespace: string;
  readonly queue: QueueName;
  /** Messages that this process has taken and not acknowledged. */
  readonly taken: () => number;
  readonly metrics: Metrics;
  readonly everyMs: number;
}) {
  const { namespace, queue, taken, metrics, everyMs } = options;
  const states = { ready: queueOf(namespace, queue), dead: deadQueueOf(namespace, queue) };
  let watched: Channel | undefined;
  let timer: NodeJS.Timeout | undefined;

  const look = async (channel: Channel): Promise<void> => {
    try {
      for (const [state, name] of Object.entries(states)) {
        const { messageCount } = await channel.checkQueue(name);
        metrics.queueMessages.set({ queue, state }, messageCount);
      }
      metrics.queueMessages.set({ queue, state: 'taken' }, taken());
    } catch {
      // The channel was lost; the next one starts again.
      return;
    }
    if (channel === watched) timer = setTimeout(() => void look(channel), everyMs).unref();
  };

  return {
    /** Measures on this channel from now on. */
    lookOn(channel: Channel): void {
      clearTimeout(timer);
      watched = channel;
      void look(channel);
    },
    close(): void {
      clearTimeout(timer);
      watched = undefined;
    },
  };
}
