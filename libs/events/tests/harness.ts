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
import { setTimeout as wait } from 'node:timers/promises';
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

/** An event of a membership, for the queue that binds only those. */
export const membershipChanged = (member: number): Event =>
  newEvent({
    type: 'membership.changed',
    member,
    version: 1,
    at: new Date(),
    data: { status: 'none', autorenew: false, expires_at: null },
  });

/** Engines of a suite: a database, a broker namespace, and a proxy to the broker. */
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
  // After the first confirm the channel and the topology exist.
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
    /** A channel without the library. */
    raw,
    exchange: exchangeOf(namespace),
    queue: (name: QueueName) => queueOf(namespace, name),
    /** An outbox with separate metrics, as in another process. */
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
    /** A connection, publisher and outbox of another process. */
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
    /** Writes an event into the outbox of a document. */
    async write(id: number, events: readonly Event[], at = new Date()) {
      await things.updateOne({ _id: id }, pushEvents(events, at), { upsert: true });
    },
    /** Takes all dead letters of a queue. */
    dead: (name: QueueName) => takeAll(raw, deadQueueOf(namespace, name)),
    /**
     * Takes the dead letters of a queue that may be missing, or be declared just now: the first closes the channel, of the second
     * a read may never be answered.
     */
    async deadOnceThere(name: QueueName): Promise<string[]> {
      const channel = await direct.createChannel();
      channel.on('error', () => undefined);
      const read = async () => {
        await channel.checkQueue(deadQueueOf(namespace, name));
        return takeAll(channel, deadQueueOf(namespace, name));
      };
      const texts = await Promise.race([read().catch(() => undefined), wait(5_000)]);
      if (texts) await channel.close();
      return texts ?? [];
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

/** Takes all messages of a queue. */
async function takeAll(channel: Channel, queue: string): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const message = await channel.get(queue, { noAck: true });
    if (!message) return texts;
    texts.push(message.content.toString());
  }
}

/** Engines of a suite. */
export type Bus = Awaited<ReturnType<typeof startBus>>;

/** Records the events of a consumer. */
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
    /** Resolves when all of these have arrived. */
    has: (wanted: readonly Event[]) =>
      until(`all ${wanted.length} events`, () => {
        const ids = new Set(events.map(({ id }) => id));
        return wanted.every(({ id }) => ids.has(id));
      }),
  };
}
