import type { Health } from '@covalence/runtime/health';
import type { Logger } from '@covalence/runtime/logger';
import { connect, type ChannelWrapper } from 'amqp-connection-manager';
import type { Channel, ConfirmChannel } from 'amqplib';
import { setTimeout as wait } from 'node:timers/promises';
import { brokerHosts, connectLimitMs } from './broker-hosts.ts';
import { checkTopology, declareTopology, type Topology } from './topology.ts';

/** Address of the broker, and the namespace of this stack's exchanges and queues. */
interface BrokerOptions {
  /** e.g. amqp://127.0.0.1:5672; of a cluster, with the hosts of its nodes by commas. */
  readonly url: string;
  readonly namespace: string;
  /** 'declare' if the account may configure exchanges and queues; else 'check', and `events declare` declares them. */
  readonly topology?: Topology;
  readonly logger: Logger;
  readonly health?: Health;
}

/** A channel to open; `setup` runs each time it opens. */
type ChannelOptions =
  | {
      readonly confirm: true;
      readonly publishTimeout: number;
      readonly setup: (channel: ConfirmChannel) => Promise<void>;
    }
  | { readonly confirm?: false; readonly setup: (channel: Channel) => Promise<void> };

/** A connection to RabbitMQ that reconnects automatically. */
export type Broker = ReturnType<typeof connectBroker>;

/** Time limit for the broker's replies at shutdown, ms. Unacknowledged messages are delivered or published again. */
export const stopLimitMs = 1_000;

/** Closes a channel or connection within the time limit, even if the broker hangs. */
export async function closeInTime(closing: Promise<unknown>): Promise<void> {
  await Promise.race([closing, wait(stopLimitMs, undefined, { ref: false })]);
}

/** Resolves or rejects as the work does; rejects once the time is over. */
export async function inTime<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  const late = new AbortController();
  const end = wait(limitMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`rabbitmq did not answer within ${limitMs} ms`);
  });
  return Promise.race([work, end]).finally(() => late.abort());
}

const reopenMs = 1_000;

/** Connects to RabbitMQ in the background and reconnects while it is down, to each host about once a second. */
export function connectBroker(options: BrokerOptions) {
  const { url, namespace, topology = 'declare', logger, health } = options;
  const hosts = brokerHosts(url);
  const manager = connect(hosts, {
    heartbeatIntervalInSeconds: 5,
    // The library takes the next host each time.
    reconnectTimeInSeconds: 1 / hosts.length,
    // noDelay: Nagle's algorithm would delay events.
    connectionOptions: { noDelay: true, timeout: connectLimitMs },
  });
  manager.on('connectFailed', ({ err }) => logger.warn({ err }, 'rabbitmq is unavailable'));
  manager.on('disconnect', ({ err }) => logger.warn({ err }, 'rabbitmq connection lost'));
  // Not required: events wait in outboxes and queues, and everything else is served.
  health?.addOptional('rabbitmq', () =>
    manager.isConnected() ? Promise.resolve() : Promise.reject(new Error('RabbitMQ is not connected')),
  );

  /** Opens a channel that is set up again on every connection, and after the broker has closed only the channel. */
  const openChannel = ({ setup, ...options }: ChannelOptions): ChannelWrapper => {
    let current: Channel | undefined;
    let ended = false;
    // The library opens channels on new connections only, so close the connection. `manager.reconnect` would remove its error
    // listener first: a broker that dies at that moment would crash the process.
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
    /** Declares or checks the topology. Rejects if it is missing and this account may not declare it. */
    prepare: (channel: Channel) =>
      topology === 'declare' ? declareTopology(channel, namespace) : checkTopology(channel, namespace),
    openChannel,
    /**
     * Opens a channel for some calls and closes it, so that what they hold is delivered again. Rejects while the broker is away, and
     * once the time is over: a broker with an alarm reads nothing of a connection that publishes.
     */
    async onChannel<Result>(
      limitMs: number,
      work: (channel: ConfirmChannel) => Promise<Result>,
    ): Promise<Result> {
      const { connection } = manager;
      if (!connection || !manager.isConnected()) throw new Error('RabbitMQ is not connected');
      const opening = connection.createConfirmChannel();
      const done = opening.then((channel) => {
        channel.on('error', (error: unknown) => logger.warn({ err: error }, 'rabbitmq channel lost'));
        return work(channel);
      });
      try {
        return await inTime(limitMs, done);
      } finally {
        const closing = opening.then((channel) => channel.close());
        await closeInTime(closing.catch(() => undefined));
      }
    },
    async close() {
      const closed = manager
        .close()
        .catch((error: unknown) => logger.warn({ err: error }, 'rabbitmq not closed'));
      // While disconnected there is nothing to wait for: the library closes a connection that still comes up.
      if (manager.isConnected()) await closeInTime(closed);
    },
  };
}
