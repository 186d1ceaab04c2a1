import type { Publisher } from '@covalence/events/publisher';
import type { Peer } from '@covalence/http/peer';
import type { Metrics } from '@covalence/runtime/metrics';
import type { LiveContext } from '../live/live.ts';
import type { PushApp } from './push-apps.ts';
import type { PushQueue } from './push-queue-store.ts';
import type { Transport } from './transports/transport.ts';

/** Push messages to browsers and apps. */
export interface Push {
  /** The key that browsers subscribe with; undefined when no VAPID keys are configured. */
  readonly webKey: string | undefined;
  /** The apps that may register devices, by id. */
  readonly apps: ReadonlyMap<string, PushApp>;
  /** The transport of a device; undefined when its app is no longer configured. */
  transportOf(endpoint: string): Transport | undefined;
  readonly queue: PushQueue;
  /** Interval between two checks of the queue, ms; a message queued by this process is checked at once. */
  readonly pollMs: number;
  close(): void;
}

/** The dependencies of push messages. */
export interface PushContext extends LiveContext {
  readonly metrics: Metrics;
  readonly profile: Peer<'profile'>;
  readonly publisher: Publisher;
  /** Undefined when neither VAPID keys nor apps are configured. */
  readonly push: Push | undefined;
}
