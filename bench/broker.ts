import { connectOnce } from '@covalence/events/broker-hosts';
import { newEvent } from '@covalence/events/new-event';
import { rabbitmqCommand } from '@covalence/testing/rabbitmq-command';
import { until } from '@covalence/testing/until';
import { randomBytes } from 'node:crypto';
import { engineTime } from './call-costs.ts';
import { effort } from './effort.ts';
import { engineProcesses, engineUrl, say } from './engines.ts';
import { inTurns, pace } from './load.ts';
import { measurement, median, type Measurement } from './measurement.ts';

/** Queues over which the events of one consumer are spread, and its processes. */
const several = 4;
const consumers = 4;
/** As those of updates. */
const prefetch = 500;
/** Publishing connections, and events of each that wait for their confirmation. */
const connections = 2;
const waiting = 100;
/** Members whom events are about. */
const members = 10_000;
const drainMs = 60_000;
const rounds = 2 * effort.rounds - 1;

type Connection = Awaited<ReturnType<typeof connectOnce>>;

/** The exchange type comes with RabbitMQ, as a plugin. At a configured address it must be enabled. */
async function enableHashing(): Promise<void> {
  const pid = engineProcesses().get('rabbitmq');
  if (pid === undefined) return;
  await rabbitmqCommand(pid, 'rabbitmq-plugins', ['enable', 'rabbitmq_consistent_hash_exchange']);
}

/** Declares an exchange that spreads events by member over so many quorum queues; with one queue it is bound as in production. */
async function declare(connection: Connection, name: string, count: number) {
  const channel = await connection.createChannel();
  const queues = Array.from({ length: count }, (_one, at) => `${name}.${at}`);
  const hashed = `${name}.hash`;
  await channel.assertExchange(name, 'topic', { durable: true });
  if (count > 1) {
    await channel.assertExchange(hashed, 'x-consistent-hash', {
      durable: true,
      arguments: { 'hash-header': 'member' },
    });
    await channel.bindExchange(hashed, name, 'pair.*');
  }
  for (const queue of queues) {
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    // The key of a binding is its weight at the second exchange.
    await (count > 1 ? channel.bindQueue(queue, hashed, '1') : channel.bindQueue(queue, name, 'pair.*'));
  }
  return {
    queues,
    remove: async (): Promise<void> => {
      for (const queue of queues) await channel.deleteQueue(queue);
      if (count > 1) await channel.deleteExchange(hashed);
      await channel.deleteExchange(name);
      await channel.close();
    },
  };
}

/** Consumes a queue with one answer for what arrived together, as the services do. */
async function consume(connection: Connection, queue: string, taken: () => void): Promise<void> {
  const channel = await connection.createChannel();
  let last: Parameters<typeof channel.ack>[0] | undefined;
  await channel.prefetch(prefetch);
  await channel.consume(queue, (message) => {
    // The queue was deleted at the end.
    if (!message) return;
    taken();
    if (!last)
      setImmediate(() => {
        if (last) channel.ack(last, true);
        last = undefined;
      });
    last = message;
  });
}

/** An exchange with its queues and their consumers. */
async function startQueues(own: readonly Connection[], name: string, count: number) {
  const [first] = own;
  if (!first) throw new Error('no connection');
  const { queues, remove } = await declare(first, name, count);
  let [sent, confirmed, taken] = [0, 0, 0];
  for (let number = 0; number < consumers; number += 1) {
    const connection = own[number % own.length] ?? first;
    await consume(connection, queues[number % count] ?? '', () => (taken += 1));
  }
  const channels = await Promise.all(own.slice(0, connections).map((each) => each.createConfirmChannel()));
  const publish = (worker: number) =>
    new Promise<void>((resolve, reject) => {
      const member = 1 + (sent++ % members);
      const event = newEvent({ type: 'pair.liked', member, version: 1, data: { other: 8 }, at: new Date() });
      const properties = {
        persistent: true,
        mandatory: true,
        messageId: event.id,
        contentType: 'application/json',
        headers: { member: String(member) },
      };
      const body = Buffer.from(JSON.stringify(event));
      channels[worker % channels.length]?.publish(name, event.type, body, properties, (error: unknown) => {
        if (error) return reject(new Error('not confirmed', { cause: error }));
        confirmed += 1;
        resolve();
      });
    });
  return {
    remove,
    /** Publishes for some seconds while others consume, until nothing is left: confirmed events per second, and RabbitMQ's time of one. */
    async load(seconds: number) {
      const [before, begun] = [engineTime('rabbitmq'), confirmed];
      const { perSecond } = await pace(seconds, connections * waiting, publish);
      await until('empty queues', () => taken === confirmed, drainMs);
      return { perSecond, ms: (engineTime('rabbitmq') - before) / (confirmed - begun) };
    },
  };
}

/** Measures one quorum queue, and several with the events of the same exchange by consistent hash. */
export async function benchBroker(): Promise<readonly Measurement[]> {
  say('broker: one queue, and several by consistent hash …');
  await enableHashing();
  const url = engineUrl('rabbitmq');
  const name = `bench-${randomBytes(4).toString('hex')}`;
  const own = await Promise.all(Array.from({ length: consumers }, () => connectOnce(url)));
  try {
    const one = await startQueues(own, `${name}-one`, 1);
    const spread = await startQueues(own, `${name}-spread`, several);
    const both = (seconds: number, count: number) =>
      inTurns(
        () => spread.load(seconds),
        () => one.load(seconds),
        count,
      );
    await both(effort.warmUp / 2, 1);
    const outcome = await both(effort.seconds, rounds);
    await one.remove();
    await spread.remove();
    const row = (what: string, unit: string, pick: (each: (typeof outcome.own)[number]) => number) =>
      measurement(
        `${what}, one queue, × ${several} by consistent hash`,
        unit,
        median(outcome.own.map(pick)),
        median(outcome.reference.map(pick)),
      );
    return [
      row('events per second', '1/s', ({ perSecond }) => perSecond),
      row('processor time of an event', 'ms', ({ ms }) => ms),
    ];
  } finally {
    for (const connection of own) await connection.close();
  }
}
