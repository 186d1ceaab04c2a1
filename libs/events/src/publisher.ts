import type { Event } from '@covalence/contract/events';
import type { Metrics } from '@covalence/runtime/metrics';
import { closeInTime, stopLimitMs, type Broker } from './broker.ts';
import { exchangeOf, pushExchangeOf } from './topology.ts';

/** Sends events to the exchange. */
export interface Publisher {
  /**
   * Publishes persistent and mandatory, and resolves when the broker has confirmed it. Rejects when the broker is away, which
   * it is too where it does not confirm in 10 s, or returns the message as unroutable: the event then stays in its outbox.
   */
  publish(event: Event): Promise<void>;
  /** Hands an event on to `updates.push` alone, as durably; whoever consumes it decides when that is due. */
  handOn(event: Event): Promise<void>;
  /** Closes within a second: rejects what the broker has not confirmed by then, and every later event. */
  closeSoon(): void;
  close(): Promise<void>;
}

/** The broker has no queue for an event: the topology of this process and the broker's differ. */
export class Unroutable extends Error {
  constructor(type: string) {
    super(`no queue takes ${type}`);
    this.name = 'Unroutable';
  }
}

/** The broker does not take an event now. */
class BrokerUnavailable extends Error {
  constructor(cause: unknown) {
    super('rabbitmq is away', { cause });
    this.name = 'BrokerUnavailable';
  }
}

const confirmLimitMs = 10_000;

/** Creates a publisher with a channel of its own. Confirms are outstanding in parallel, not one by one. */
export function createPublisher(broker: Broker, metrics: Metrics): Publisher {
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
      // Without this the library would keep messages in memory for as long as the broker is away.
      if (closed || !manager.isConnected()) throw new Error('not connected');
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
    // What is under way is rejected with it.
    await closeInTime(channel.close().catch(() => undefined));
  };
  return {
    publish: (event) => send(event, exchange, event.type, 'published'),
    handOn: (event) => send(event, pushExchangeOf(namespace), event.type, 'handed_on'),
    closeSoon: () => void setTimeout(() => void close(), stopLimitMs).unref(),
    close,
  };
}
