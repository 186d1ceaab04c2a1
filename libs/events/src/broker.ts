import type { Health } from '@covalence/runtime/health';
import type { Logger } from '@covalence/runtime/logger';
import { connect, type AmqpConnectionManager } from 'amqp-connection-manager';

/** Where the broker is and under which namespace this stack's exchanges and queues live. */
export interface BrokerOptions {
  /** e.g. amqp://127.0.0.1:5672 */
  readonly url: string;
  readonly namespace: string;
  readonly logger: Logger;
  readonly health?: Health;
}

/** A connection to RabbitMQ that comes back by itself. */
export interface Broker {
  readonly manager: AmqpConnectionManager;
  readonly namespace: string;
  close(): Promise<void>;
}

/** Connects to RabbitMQ; returns at once, reconnects every second while it is away. */
export function connectBroker({ url, namespace, logger, health }: BrokerOptions): Broker {
  const manager = connect([url], { heartbeatIntervalInSeconds: 5, reconnectTimeInSeconds: 1 });
  manager.on('connectFailed', ({ err }) => logger.warn({ err }, 'rabbitmq is away'));
  manager.on('disconnect', ({ err }) => logger.warn({ err }, 'rabbitmq connection lost'));
  health?.add('rabbitmq', () =>
    manager.isConnected() ? Promise.resolve() : Promise.reject(new Error('not connected')),
  );
  return { manager, namespace, close: () => manager.close() };
}
