import type { Health } from '@covalence/runtime/health';
import type { Logger } from '@covalence/runtime/logger';
import { connect, type AmqpConnectionManager, type ChannelWrapper } from 'amqp-connection-manager';
import type { Channel, ConfirmChannel } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import { checkTopology, declareTopology, type Topology } from './topology.ts';

/** Where the broker is and under which namespace this stack's exchanges and queues live. */
export interface BrokerOptions {
  /** e.g. amqp://127.0.0.1:5672 */
  readonly url: string;
  readonly namespace: string;
  /** 'declare' if the account may configure exchanges and queues; else 'check', and `events declare` declares them. */
  readonly topology?: Topology;
  readonly logger: Logger;
  readonly health?: Health;
}

/** A channel: whether it confirms, and what is done on it each time it opens. */
type ChannelOptions =
  | {
      readonly confirm: true;
      readonly publishTimeout: number;
      readonly setup: (channel: ConfirmChannel) => Promise<void>;
    }
  | { readonly confirm?: false; readonly setup: (channel: Channel) => Promise<void> };

/** A connection to RabbitMQ that comes back by itself. */
export interface Broker {
  readonly manager: AmqpConnectionManager;
  readonly namespace: string;
  /** Declares the topology on a channel, or rejects if this account may not declare it and it is not there. */
  prepare(channel: Channel): Promise<void>;
  /**
   * Opens a channel that is set up anew on every connection. One that the broker closes alone, e.g. because a message was
   * held for longer than the broker allows, comes back too.
   */
  openChannel(options: ChannelOptions): ChannelWrapper;
  close(): Promise<void>;
}

/** What a stop waits for an answer of the broker: what a broker that hangs has not taken or acknowledged comes again. */
export const stopLimitMs = 1_000;

/** Closes a channel or connection, without waiting for a broker that hangs. */
export async function closeInTime(closing: Promise<unknown>): Promise<void> {
  await Promise.race([closing, wait(stopLimitMs, undefined, { ref: false })]);
}

const reopenMs = 1_000;
const connectLimitMs = 5_000;

/** Connects to RabbitMQ; returns at once, reconnects every second while it is away. */
export function connectBroker(options: BrokerOptions): Broker {
  const { url, namespace, topology = 'declare', logger, health } = options;
  const manager = connect([url], {
    heartbeatIntervalInSeconds: 5,
    reconnectTimeInSeconds: 1,
    // Without it an event waits until the broker has acknowledged the bytes before it (Nagle's algorithm).
    // A broker that takes a connection and says nothing is tried again.
    connectionOptions: { noDelay: true, timeout: connectLimitMs },
  });
  manager.on('connectFailed', ({ err }) => logger.warn({ err }, 'rabbitmq is away'));
  manager.on('disconnect', ({ err }) => logger.warn({ err }, 'rabbitmq connection lost'));
  // Events wait in their outboxes and in the queues meanwhile, and everything else is served.
  health?.addOptional('rabbitmq', () =>
    manager.isConnected() ? Promise.resolve() : Promise.reject(new Error('not connected')),
  );

  const openChannel = ({ setup, ...options }: ChannelOptions): ChannelWrapper => {
    let current: Channel | undefined;
    let ended = false;
    // The library opens channels on a new connection only, so a channel that ended alone takes its connection along. Not by
    // `manager.reconnect`, which hears nothing of it from then on: a broker that dies at that moment would end the process.
    const reopen = () => {
      if (!ended && !current) manager.connection?.close().catch(() => undefined);
    };
    const wrapper = manager.createChannel({
      ...options,
      setup: async (channel: ConfirmChannel) => {
        current = channel;
        channel.on('error', (error: unknown) => logger.warn({ err: error }, 'rabbitmq channel lost'));
        channel.on('close', () => {
          if (current !== channel) return;
          current = undefined;
          setTimeout(reopen, reopenMs).unref();
        });
        await setup(channel);
      },
    });
    wrapper.on('error', (error: unknown) => logger.warn({ err: error }, 'rabbitmq channel not set up'));
    wrapper.on('close', () => (ended = true));
    return wrapper;
  };

  return {
    manager,
    namespace,
    prepare: (channel) =>
      topology === 'declare' ? declareTopology(channel, namespace) : checkTopology(channel, namespace),
    openChannel,
    async close() {
      const closed = manager
        .close()
        .catch((error: unknown) => logger.warn({ err: error }, 'rabbitmq not closed'));
      // A try under way is not waited for; should it still come to a connection, that is closed.
      if (manager.isConnected()) await closeInTime(closed);
    },
  };
}
