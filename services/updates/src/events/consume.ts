import type { Event, EventType } from '@covalence/contract/events';
import { createConsumer, type Consumer } from '@covalence/events/consumer';
import type { Context } from '../context.ts';
import { onMemberDeactivated } from './on-member-deactivated.ts';
import { onPairEvent } from './on-pair-event.ts';
import { onPhotoChanged } from './on-photo-changed.ts';

type Handler = (event: Event, context: Context) => Promise<void>;

/** What each event does here; the queue's other events concern no socket. */
const handlers: Partial<Record<EventType, Handler>> = {
  'pair.liked': onPairEvent,
  'pair.mutual': onPairEvent,
  'pair.declined': onPairEvent,
  'pair.viewed': onPairEvent,
  'photo.changed': onPhotoChanged,
  'member.deactivated': onMemberDeactivated,
};

const batchSize = 250;

/**
 * Starts consuming. The events of a batch go to Redis together, in their order; a batch that comes again is told once,
 * because messages are deduplicated by event id.
 */
export function startConsuming(context: Context): Consumer {
  const { broker, logger, metrics } = context;
  return createConsumer(broker, {
    queue: 'updates.live',
    batch: { size: batchSize, waitMs: 0 },
    handle: async (events) => {
      await Promise.all(events.map(async (event) => handlers[event.type]?.(event, context)));
    },
    logger,
    metrics,
  });
}
