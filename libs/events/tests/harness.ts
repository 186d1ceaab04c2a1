import type { Event } from '@covalence/contract/events';
import { createLogger } from '@covalence/runtime/logger';
import { createHealth } from '@covalence/runtime/health';
import { createMetrics } from '@covalence/runtime/metrics';
import { connectMongo, mongoReady } from '@covalence/runtime/mongo';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { connect, type Channel } from 'amqplib';
import { Schema } from 'mongoose';
import { connectBroker } from '../src/broker.ts';
import { createConsumer, type ConsumerOptions } from '../src/consumer.ts';
import { createLease } from '../src/lease.ts';
import { newEvent } from '../src/new-event.ts';
import { createOutbox, outboxFields, outboxIndex, pushEvents, type WithOutbox } from '../src/outbox.ts';
import { createPublisher } from '../src/publisher.ts';
import {
  deadExchangeOf,
  deadQueueOf,
  exchangeOf,
  pushExchangeOf,
  queueNames,
  queueOf,
  type QueueName,
} from '../src/topology.ts';

const logger = createLogger('test', 'silent');

interface Thing extends WithOutbox {
  _id: number;
}

const thingSchema = new Schema<Thing>({ _id: { type: Number, required: true }, ...outboxFields });
thingSchema.index(...outboxIndex);

/** An event about a member. */
export const memberUpdated = (member: number): Event =>
  newEvent({ type: 'member.updated', member, version: 1, at: new Date() });

/** An event about a membership, for the queue that only takes those. */
export const membershipChanged = (member: number): Event =>
  newEvent({
    type: 'membership.changed',
    member,
    version: 1,
    at: new Date(),
    data: { status: 'none', autorenew: false, expires_at: null },
  });

/** The engines of one suite: a database, a namespace on the broker, and a way to the broker that can be cut. */
export async function startBus(suite: string) {
  const { MONGODB_URL, RABBITMQ_URL } = testStores();
  const namespace = testNamespace(suite);
  const proxy = await createTcpProxy(RABBITMQ_URL);
  const metrics = createMetrics('test');
  const connection = connectMongo({ url: MONGODB_URL, database: namespace, logger, health: createHealth() });
  const things = connection.model('Thing', thingSchema);
  const broker = connectBroker({ url: proxy.url, namespace, logger });
  const publisher = createPublisher(broker, metrics);
  const direct = await connect(RABBITMQ_URL);
  const raw: Channel = await direct.createChannel();
  await mongoReady(connection);
  // The first confirm: the channel and the topology are there.
  await until('the publisher', async () => {
    await publisher.publish(memberUpdated(1));
    return true;
  });
  for (const queue of queueNames) await raw.purgeQueue(queueOf(namespace, queue));

  return {
    namespace,
    proxy,
    metrics,
    connection,
    things: things as typeof things & Parameters<typeof createOutbox>[0]['model'],
    broker,
    publisher,
    /** A plain channel that goes around the library. */
    raw,
    exchange: exchangeOf(namespace),
    queue: (name: QueueName) => queueOf(namespace, name),
    /** An outbox with a publisher's metrics of its own, as another process would have. */
    outbox(options: { graceMs?: number; pollMs?: number; ttlMs?: number } = {}) {
      const own = createMetrics('outbox');
      const outbox = createOutbox({
        model: things as typeof things & Parameters<typeof createOutbox>[0]['model'],
        publisher: createPublisher(broker, own),
        lease: createLease(connection, 'outbox:things', options.ttlMs),
        logger,
        metrics: own,
        ...options,
      });
      const published = async () =>
        (await own.events.get()).values
          .filter(({ labels }) => labels.outcome === 'published')
          .reduce((sum, { value }) => sum + value, 0);
      return { ...outbox, published };
    },
    /** What another process has of its own: a connection, a publisher and an outbox. */
    process() {
      const own = connectBroker({ url: proxy.url, namespace, logger });
      const publishes = createPublisher(own, metrics);
      const outbox = createOutbox({
        model: things as typeof things & Parameters<typeof createOutbox>[0]['model'],
        publisher: publishes,
        lease: createLease(connection, 'outbox:things'),
        logger,
        metrics,
      });
      return { broker: own, publisher: publishes, outbox };
    },
    consume: (options: Pick<ConsumerOptions, 'queue' | 'handle'> & Partial<ConsumerOptions>) =>
      createConsumer(broker, { batch: { size: 10, waitMs: 0 }, retryMs: 10, logger, metrics, ...options }),
    /** Writes an event into a document's outbox, as an operation would. */
    async write(id: number, events: readonly Event[], at = new Date()) {
      await things.updateOne({ _id: id }, pushEvents(events, at), { upsert: true });
    },
    /** Everything that waits in the dead letters of a queue, taken out. */
    async dead(name: QueueName): Promise<string[]> {
      const texts: string[] = [];
      for (;;) {
        const message = await raw.get(deadQueueOf(namespace, name), { noAck: true });
        if (!message) return texts;
        texts.push(message.content.toString());
      }
    },
    /** The same while that queue may be missing, which would end the channel that asks. */
    async deadOnceThere(name: QueueName): Promise<string[]> {
      const channel = await direct.createChannel();
      channel.on('error', () => undefined);
      try {
        await channel.checkQueue(deadQueueOf(namespace, name));
      } catch {
        return [];
      }
      await channel.close();
      return this.dead(name);
    },
    async close() {
      await publisher.close();
      await broker.close();
      for (const name of queueNames) {
        await raw.deleteQueue(queueOf(namespace, name));
        await raw.deleteQueue(deadQueueOf(namespace, name));
      }
      await raw.deleteExchange(exchangeOf(namespace));
      await raw.deleteExchange(deadExchangeOf(namespace));
      await raw.deleteExchange(pushExchangeOf(namespace));
      await direct.close();
      await proxy.close();
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

/** The running engines of a suite. */
export type Bus = Awaited<ReturnType<typeof startBus>>;

/** Remembers what a consumer was given. */
export function recorder() {
  const events: Event[] = [];
  const batches: number[] = [];
  return {
    events,
    batches,
    handle: (batch: Event[]): Promise<void> => {
      events.push(...batch);
      batches.push(batch.length);
      return Promise.resolve();
    },
    /** Resolves when every one of these has come. */
    has: (wanted: readonly Event[]) =>
      until(`all ${wanted.length} events`, () => {
        const ids = new Set(events.map(({ id }) => id));
        return wanted.every(({ id }) => ids.has(id));
      }),
  };
}
