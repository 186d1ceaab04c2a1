import type { Event, EventType } from '@covalence/contract/events';
import { createConsumer, type Consumer } from '@covalence/events/consumer';
import type { Context } from './context.ts';
import { deliverNotification, enqueuePush, pushAlways } from './push/push-events.ts';
import { startPushWorker } from './push/sending/push-worker.ts';

type Handler = (event: Event, context: Context) => Promise<void>;

/** Closes the member's sockets on every process: 4403 when deactivated, 4401 when suspended or deleted. */
const lockOut: Handler = ({ member, type, at }, { live }) =>
  live.channels.publishLockout(member, type === 'member.deactivated' ? 'deactivated' : 'ended', new Date(at));

/** The handlers of events that do more or less than notify their recipients. */
const handlers: Partial<Record<EventType, Handler>> = {
  'member.deactivated': lockOut,
  'member.suspended': lockOut,
  'member.deleted': lockOut,
  'presence.changed': ({ member }, { presence }) => presence.recheck([member]),
  'account.alerted': pushAlways,
};

const batchSize = 250;
const pushBatchSize = 100;

/**
 * Starts consuming. The events of a batch go to Redis together, in their order, and a repeated event is delivered once. Push has its
 * own queue and worker, so that a slow push service delays nothing else.
 */
export function startConsumers(context: Context): Consumer {
  const { broker, metrics, push } = context;
  const { logger } = context.live;
  const worker = push && startPushWorker(context, push);
  const consumers = [
    createConsumer(broker, {
      queue: 'updates.live',
      batch: { size: batchSize, waitMs: 0 },
      handle: async (events) => {
        await Promise.all(
          events.map((event) => (handlers[event.type] ?? deliverNotification)(event, context)),
        );
      },
      logger,
      metrics,
    }),
    createConsumer(broker, {
      queue: 'updates.push',
      batch: { size: pushBatchSize, waitMs: 0 },
      handle: async (events) => {
        if (!push) return;
        await enqueuePush(events, context, push);
        worker?.wake();
      },
      logger,
      metrics,
    }),
  ];
  return {
    async close() {
      await Promise.all([...consumers.map((each) => each.close()), worker?.close()]);
    },
  };
}
