import type { Metrics } from '@covalence/runtime/metrics';
import type { Channel } from 'amqplib';
import { deadQueueOf, queueOf, type QueueName } from './topology.ts';

/** Keeps a metric of a queue for as long as a channel lasts. */
export interface DepthWatch {
  /** Looks on this channel from now on, and no longer on an earlier one. */
  lookOn(channel: Channel): void;
  close(): void;
}

/** Keeps the metric of how many messages wait: in a queue, with its consumer, and among the dead letters, while the broker is there. */
export function watchDepth(options: {
  readonly namespace: string;
  readonly queue: QueueName;
  /** How many messages this process has taken and not answered. */
  readonly taken: () => number;
  readonly metrics: Metrics;
  readonly everyMs: number;
}): DepthWatch {
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
      // The channel was lost; another one follows, which begins anew.
      return;
    }
    if (channel === watched) timer = setTimeout(() => void look(channel), everyMs).unref();
  };

  return {
    lookOn(channel) {
      clearTimeout(timer);
      watched = channel;
      void look(channel);
    },
    close() {
      clearTimeout(timer);
      watched = undefined;
    },
  };
}
