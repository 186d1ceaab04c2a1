import type { Publisher } from '@covalence/events/publisher';
import type { Peer } from '@covalence/http/peer';
import type { Metrics } from '@covalence/runtime/metrics';
import type { LiveContext } from '../live/live.ts';
import type { PushQueue } from './push-queue-store.ts';
import type { PushSender, Vapid } from './push-sender.ts';

/** Web push with its keys. */
export interface Push {
  readonly vapid: Vapid;
  readonly sender: PushSender;
  readonly queue: PushQueue;
  /** Interval between two checks of the queue, ms; a message queued by this process is checked at once. */
  readonly pollMs: number;
}

/** The dependencies of web push. */
export interface PushContext extends LiveContext {
  readonly metrics: Metrics;
  readonly profile: Peer<'profile'>;
  readonly publisher: Publisher;
  /** Undefined when no VAPID keys are configured. */
  readonly push: Push | undefined;
}
