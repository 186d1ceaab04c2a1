import type { Event } from '@covalence/contract/events';
import { currentRequestId, withRequestContext } from '@covalence/runtime/request-context';
import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Channel } from 'amqplib';
import type { Consumer } from '../src/consumer.ts';
import { memberUpdated, recorder, startBus, type Bus } from './harness.ts';

let bus: Bus;
let consumer: Consumer;
beforeAll(async () => {
  bus = await startBus('consumer');
});
afterAll(() => bus.close());
afterEach(async () => {
  await consumer.close();
  await bus.raw.purgeQueue(bus.queue('search.index'));
});

const members = (count: number) => Array.from({ length: count }, (_, index) => memberUpdated(index + 1));
const publish = (events: readonly Event[]) =>
  Promise.all(events.map((event) => bus.publisher.publish(event)));
const depth = async () => (await bus.raw.checkQueue(bus.queue('search.index'))).messageCount;
const away = () => Object.assign(new Error('no server'), { name: 'MongoServerSelectionError' });

describe('a consumer', () => {
  it('receives every event in order, in batches of at most its size', async () => {
    const events = members(95);
    await publish(events);
    const received = recorder();
    consumer = bus.consume({
      queue: 'search.index',
      handle: received.handle,
      batch: { size: 10, waitMs: 50 },
    });
    await received.has(events);
    expect(received.events.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(Math.max(...received.batches)).toBe(10);
    expect(received.batches.length).toBeLessThan(20);
  });

  it('acknowledges handled events only', async () => {
    const events = members(3);
    const gate = Promise.withResolvers<void>();
    const received = recorder();
    consumer = bus.consume({
      queue: 'search.index',
      async handle(batch) {
        await received.handle(batch);
        await gate.promise;
        throw away();
      },
      batch: { size: 3, waitMs: 50 },
    });
    await publish(events);
    await received.has(events);
    const closing = consumer.close();
    gate.resolve();
    await closing;
    const second = recorder();
    consumer = bus.consume({ queue: 'search.index', handle: second.handle });
    await second.has(events);
    expect(second.events).toHaveLength(events.length);
  });

  it('retries until an unavailable store works, without losses or dead letters', async () => {
    const [event] = members(1);
    const received = recorder();
    let tries = 0;
    consumer = bus.consume({
      queue: 'search.index',
      handle: (batch) => ((tries += 1) < 5 ? Promise.reject(away()) : received.handle(batch)),
    });
    await publish(event ? [event] : []);
    await received.has(event ? [event] : []);
    expect([tries, received.events.length]).toEqual([5, 1]);
    expect(await bus.dead('search.index')).toEqual([]);
  });

  it('retries until the broker accepts a forwarded event', async () => {
    const events = members(1);
    const problem = async () => {
      const published = bus.publisher.publish(memberUpdated(9));
      return published.catch((error: unknown) => error as Error);
    };
    bus.proxy.slow(60_000);
    const unconfirmed = problem();
    bus.proxy.cut();
    await until('the connection is lost', () => !bus.broker.manager.isConnected());
    const problems = [await unconfirmed, await problem()];
    bus.proxy.restore();
    await until('the connection is back', () => bus.broker.manager.isConnected());
    const received = recorder();
    let tries = 0;
    consumer = bus.consume({
      queue: 'search.index',
      handle: (batch) =>
        (tries += 1) < 8 ? Promise.reject(problems[tries % 2] ?? away()) : received.handle(batch),
      batch: { size: 1, waitMs: 0 },
    });
    await bus.raw.purgeQueue(bus.queue('search.index'));
    await publish(events);
    await received.has(events);
    expect(await bus.dead('search.index')).toEqual([]);
  });

  it.each([
    ['no JSON', 'not json'],
    ['no event', '{"hello":"world"}'],
    ['an event of no type that there is', JSON.stringify({ ...memberUpdated(1), type: 'member.hugged' })],
  ])('gives %s to the dead letters and goes on', async (_case, text) => {
    const received = recorder();
    bus.metrics.events.reset();
    consumer = bus.consume({ queue: 'search.index', handle: received.handle });
    bus.raw.publish(bus.exchange, 'member.updated', Buffer.from(text), { persistent: true });
    const [event] = members(1);
    await publish(event ? [event] : []);
    await received.has(event ? [event] : []);
    expect(await until('a dead letter', async () => (await bus.dead('search.index'))[0])).toBe(text);
    expect(received.events).toHaveLength(1);
    const { values } = await bus.metrics.events.get();
    expect(values.filter(({ labels }) => labels.outcome === 'dead')).toEqual([
      { labels: { type: 'unknown', outcome: 'dead', queue: 'search.index' }, value: 1 },
    ]);
  });

  it('handles the rest of a batch with a faulty event, which becomes a dead letter after a few attempts', async () => {
    const events = members(6);
    const bad = events[3]?.id;
    const received = recorder();
    let tries = 0;
    consumer = bus.consume({
      queue: 'search.index',
      handle(batch) {
        if (!batch.some(({ id }) => id === bad)) return received.handle(batch);
        if (batch.length === 1) tries += 1;
        return Promise.reject(new TypeError('a defect'));
      },
      batch: { size: 6, waitMs: 100 },
    });
    await publish(events);
    await received.has(events.filter(({ id }) => id !== bad));
    const dead = await until('a dead letter', async () => (await bus.dead('search.index'))[0]);
    expect(JSON.parse(dead)).toMatchObject({ id: bad });
    expect(tries).toBe(5);
    expect(received.events).toHaveLength(5);
    expect(await depth()).toBe(0);
  });

  it('keeps a rejected event until a missing dead-letter queue is back', async () => {
    consumer = bus.consume({
      queue: 'search.index',
      handle: () => Promise.reject(new TypeError('a defect')),
    });
    await bus.raw.deleteQueue(`${bus.queue('search.index')}.dead`);
    const events = members(1);
    await publish(events);
    const dead = await until(
      'a dead letter',
      async () => (await bus.deadOnceThere('search.index'))[0],
      30_000,
    );
    expect(JSON.parse(dead)).toEqual(events[0]);
    expect(await bus.dead('search.index')).toEqual([]);
  });

  it('acknowledges a rejected event separately from later ones', async () => {
    const events = members(40);
    const broken = Array.from({ length: 40 }, (_, index) => `{"broken":${index}}`);
    for (const [index, event] of events.entries()) {
      for (const text of [broken[index] ?? '', JSON.stringify(event)]) {
        bus.raw.sendToQueue(bus.queue('search.index'), Buffer.from(text));
      }
    }
    await until('all wait', async () => (await depth()) === 80);
    const received = recorder();
    consumer = bus.consume({ queue: 'search.index', handle: received.handle });
    const dead: string[] = [];
    await until('all are dead letters', async () => dead.push(...(await bus.dead('search.index'))) >= 40);
    await received.has(events);
    expect(dead.toSorted()).toEqual(broken.toSorted());
    // A double acknowledgment would have closed the channel, and all events would have been redelivered.
    expect(received.events.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect(await depth()).toBe(0);
  });

  it('measures event lag and queue depth', async () => {
    const event = { ...memberUpdated(7), at: new Date(Date.now() - 30_000).toISOString() };
    const waitingOf = async (state: string) =>
      (await bus.metrics.queueMessages.get()).values.find(({ labels }) => labels.state === state)?.value;
    await publish(members(3));
    bus.metrics.eventLag.reset();
    bus.metrics.queueMessages.reset();
    const gate = Promise.withResolvers<void>();
    consumer = bus.consume({
      queue: 'search.index',
      handle: () => gate.promise,
      batch: { size: 1, waitMs: 0 },
      depthEveryMs: 100,
    });
    // The consumer holds two and takes no more.
    await until('the one that waits', async () => (await waitingOf('ready')) === 1);
    await until('that none is dead', async () => (await waitingOf('dead')) === 0);
    await until('the two that it has', async () => (await waitingOf('taken')) === 2);
    gate.resolve();
    await publish([event]);
    const lags = await until('four handled', async () => {
      const { values } = await bus.metrics.eventLag.get();
      return values.find(({ metricName, value }) => metricName?.endsWith('count') && value === 4) && values;
    });
    const sum = lags.find(({ metricName }) => metricName?.endsWith('sum'))?.value;
    expect(sum).toBeGreaterThan(30);
    expect(sum).toBeLessThan(90);
  });

  it('handles an event under the request id of its cause', async () => {
    const event = withRequestContext({ requestId: 'r-42' }, () => memberUpdated(9));
    const seen: (string | undefined)[] = [];
    consumer = bus.consume({
      queue: 'search.index',
      handle: () => Promise.resolve(void seen.push(currentRequestId())),
    });
    await publish([event]);
    await until('handled', () => seen.length);
    expect(seen).toEqual(['r-42']);
  });

  it('continues after a connection loss during its work', async () => {
    const [first, second] = members(2) as [Event, Event];
    const gate = Promise.withResolvers<void>();
    const received = recorder();
    consumer = bus.consume({
      queue: 'search.index',
      async handle(batch) {
        await received.handle(batch);
        await gate.promise;
      },
    });
    await publish([first]);
    await received.has([first]);
    bus.proxy.cut();
    gate.resolve();
    await until('the connection lost', () => !bus.broker.manager.isConnected());
    bus.proxy.restore();
    await until('the connection back', () => bus.broker.manager.isConnected());
    await publish([second]);
    await received.has([second]);
    // The first was redelivered: at-least-once, which is why consumers deduplicate.
    expect(received.events.filter(({ id }) => id === first.id).length).toBeGreaterThanOrEqual(2);
    expect(await until('nothing left', async () => (await depth()) === 0)).toBe(true);
  });

  it('declares a deleted queue again and consumes it', async () => {
    const received = recorder();
    // The depth check would also notice a missing queue, but not one that another process has declared.
    consumer = bus.consume({ queue: 'search.index', handle: received.handle, depthEveryMs: 60_000 });
    const [first, second] = members(2) as [Event, Event];
    await publish([first]);
    await received.has([first]);
    await bus.raw.deleteQueue(bus.queue('search.index'));
    await until('a queue takes it', async () => {
      await publish([second]);
      return true;
    });
    await received.has([second]);
    expect(received.events).toEqual([first, second]);
  });

  it('returns unhandled events to the queue when it closes', async () => {
    const events = members(30);
    const gate = Promise.withResolvers<void>();
    const first = recorder();
    consumer = bus.consume({
      queue: 'search.index',
      async handle(batch) {
        await first.handle(batch);
        await gate.promise;
      },
      batch: { size: 5, waitMs: 50 },
    });
    await publish(events);
    await until('the first batch', () => first.batches.length);
    const closing = consumer.close();
    gate.resolve();
    await closing;
    const begun = first.events.length;
    const second = recorder();
    consumer = bus.consume({ queue: 'search.index', handle: second.handle });
    await second.has(events.slice(begun));
    expect(second.events).toHaveLength(events.length - begun);
  });
});

describe('a channel', () => {
  it('that the broker closes is opened and set up again, with all others', async () => {
    const received = recorder();
    consumer = bus.consume({ queue: 'search.index', handle: received.handle });
    const opened: Channel[] = [];
    const channel = bus.broker.openChannel({
      setup: (raw) => Promise.resolve(void opened.push(raw)),
    });
    await until('the channel', () => opened.length === 1);
    // Checking a missing queue makes the broker close the channel.
    await opened[0]?.checkQueue('no-such-queue').catch(() => undefined);
    await until('the channel again', () => opened.length === 2);
    expect(await opened[1]?.checkQueue(bus.queue('search.index'))).toMatchObject({ messageCount: 0 });
    const [event] = members(1) as [Event];
    await until('published', async () => {
      await bus.publisher.publish(event);
      return true;
    });
    await received.has([event]);
    await channel.close();
  });

  it('is reopened when the broker dies during the close of the connection', async () => {
    const opened: Channel[] = [];
    const channel = bus.broker.openChannel({
      setup: (raw) => Promise.resolve(void opened.push(raw)),
    });
    await until('the channel', () => opened.length === 1);
    const { connection } = bus.broker.manager;
    if (!connection) throw new Error('not connected');
    const close = connection.close.bind(connection);
    connection.close = () => {
      const closed = close();
      bus.proxy.cut();
      return closed;
    };
    await opened[0]?.checkQueue('no-such-queue').catch(() => undefined);
    await until('the connection lost', () => !bus.broker.manager.isConnected());
    bus.proxy.restore();
    await until('the channel again', () => opened.length === 2);
    expect(await opened[1]?.checkQueue(bus.queue('search.index'))).toMatchObject({ messageCount: 0 });
    await channel.close();
  });
});
