import type { Event, EventType } from '@covalence/contract/events';
import { createConsumer, type Consumer } from '@covalence/events/consumer';
import type { Context } from './context.ts';
import { onMemberLockedOut } from './sockets/on-member-locked-out.ts';
import { startPushWorker } from './push/push-worker.ts';
import { enqueuePush } from './push/enqueue-push.ts';
import { deliverNotification } from './push/deliver-notification.ts';
import { onPresenceChanged } from './presence/on-presence-changed.ts';

type Handler = (event: Event, context: Context) => Promise<void>;

/** The handler of each event; others concern no socket. */
const handlers: Partial<Record<EventType, Handler>> = {
  'pair.liked': deliverNotification,
  'pair.mutual': deliverNotification,
  'pair.declined': deliverNotification,
  'pair.viewed': deliverNotification,
  'pair.shared': deliverNotification,
  'counters.changed': deliverNotification,
  'message.sent': deliverNotification,
  'moderation.decided': deliverNotification,
  'member.deactivated': onMemberLockedOut,
  'member.suspended': onMemberLockedOut,
  'member.deleted': onMemberLockedOut,
  'presence.changed': onPresenceChanged,
  'photo.changed': deliverNotification,
  'membership.changed': deliverNotification,
};

const batchSize = 250;
const pushBatchSize = 100;

/**
 * Starts consuming. The events of a batch go to Redis together, in their order, and a repeated event is delivered once. Push has its
 * own queue for notifications that reached no socket, and its own worker, so that a slow push service delays nothing else.
 */
export function startConsumers(context: Context): Consumer {
  const { broker, logger, metrics } = context;
  const worker = context.push && startPushWorker(context, context.push);
  const live = createConsumer(broker, {
    queue: 'updates.live',
    batch: { size: batchSize, waitMs: 0 },
    handle: async (events) => {
      await Promise.all(events.map(async (event) => handlers[event.type]?.(event, context)));
    },
    logger,
    metrics,
  });
  const push = createConsumer(broker, {
    queue: 'updates.push',
    batch: { size: pushBatchSize, waitMs: 0 },
    handle: async (events) => {
      if (!worker) return;
      await enqueuePush(events, context);
      worker.wake();
    },
    logger,
    metrics,
  });
  return {
    async close() {
      await Promise.all([live.close(), push.close(), worker?.close()]);
    },
  };
}
