import type { Event } from '@covalence/contract/events';
import type { Metrics } from '@covalence/runtime/metrics';
import { closeInTime, stopLimitMs, type Broker } from './broker.ts';
import { exchangeOf, pushExchangeOf } from './topology.ts';

/** Sends events to the exchange. */
export type Publisher = ReturnType<typeof createPublisher>;

/** No queue is bound for an event: the topology of the broker differs from this process's. */
export class Unroutable extends Error {
  constructor(type: string) {
    super(`no queue is bound for ${type}`);
    this.name = 'Unroutable';
  }
}

/** The broker cannot take an event now. */
class BrokerUnavailable extends Error {
  constructor(cause: unknown) {
    super('rabbitmq is unavailable', { cause });
    this.name = 'BrokerUnavailable';
  }
}

const confirmLimitMs = 10_000;

/** Creates a publisher with its own channel. Several confirms may be pending. */
export function createPublisher(broker: Broker, metrics: Metrics) {
  const { manager, namespace } = broker;
  const exchange = exchangeOf(namespace);
  const returned = new Set<string>();
  let closed = false;
  const channel = broker.openChannel({
    confirm: true,
    publishTimeout: confirmLimitMs,
    setup: async (raw) => {
      raw.on('return', (message) => returned.add(String(message.properties.messageId)));
      await broker.prepare(raw);
    },
  });
  const send = async (event: Event, to: string, key: string, sent: string): Promise<void> => {
    const count = (outcome: string) => metrics.events.inc({ type: event.type, outcome });
    try {
      // Otherwise the library buffers messages in memory while the broker is unavailable.
      if (closed || !manager.isConnected()) throw new Error('RabbitMQ is not connected');
      await channel.publish(to, key, Buffer.from(JSON.stringify(event)), {
        persistent: true,
        mandatory: true,
        messageId: event.id,
        contentType: 'application/json',
      });
      if (returned.delete(event.id)) throw new Unroutable(event.type);
      count(sent);
    } catch (error) {
      count('publish_failed');
      throw error instanceof Unroutable ? error : new BrokerUnavailable(error);
    }
  };
  const close = async (): Promise<void> => {
    closed = true;
    // Rejects pending publishes.
    await closeInTime(channel.close().catch(() => undefined));
  };
  return {
    /**
     * Publishes an event as persistent and mandatory; resolves when the broker has confirmed it. Rejects if the broker is
     * unavailable, does not confirm within 10 s, or returns the message as unroutable: the event then stays in its outbox.
     */
    publish: (event: Event) => send(event, exchange, event.type, 'published'),
    /** Forwards an event to `updates.push` only, with the same guarantees. */
    handOn: (event: Event) => send(event, pushExchangeOf(namespace), event.type, 'handed_on'),
    /** Closes within a second: rejects what the broker has not confirmed by then, and every later event. */
    closeSoon: () => void setTimeout(() => void close(), stopLimitMs).unref(),
    close,
  };
}
