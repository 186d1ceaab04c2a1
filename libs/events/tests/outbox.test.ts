import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { queueNames, queues } from '../src/topology.ts';
import { memberUpdated, membershipChanged, recorder, startBus, type Bus } from './harness.ts';

let bus: Bus;
beforeAll(async () => {
  bus = await startBus('outbox');
});
afterAll(() => bus.close());
beforeEach(async () => {
  await bus.things.deleteMany({});
});

const inAMoment = () => new Date(Date.now() + 1_000);
const outboxOf = async (id: number) =>
  (await bus.things.findById(id).lean())?.outbox?.map((event) => event.id);
const cleared = (id: number) =>
  until(`document ${id} cleared`, async () => {
    const document = await bus.things.findById(id).lean();
    return document && !document.outbox && !document.outboxAt;
  });

describe('the outbox', () => {
  const received = recorder();
  let outbox: ReturnType<Bus['outbox']>;
  let consumer: ReturnType<Bus['consume']>;

  beforeAll(() => {
    consumer = bus.consume({ queue: 'search.index', handle: received.handle });
  });
  afterAll(() => consumer.close());
  beforeEach(() => {
    outbox = bus.outbox();
  });
  afterEach(async () => {
    await outbox.close();
    bus.proxy.restore();
  });

  it('publishes written events and clears the document', async () => {
    const event = memberUpdated(1);
    await bus.write(1, [event]);
    outbox.publishSoon(1, [event]);
    await received.has([event]);
    await cleared(1);
    expect(received.events.find(({ id }) => id === event.id)).toEqual(event);
  });

  it('publishes several documents at once and clears each', async () => {
    const entries = Array.from({ length: 300 }, (_, index) => ({
      documentId: index,
      events: [memberUpdated(index + 1), memberUpdated(index + 1)],
    }));
    await Promise.all(entries.map(({ documentId, events }) => bus.write(documentId, events)));
    outbox.publishManySoon(entries);
    await received.has(entries.flatMap(({ events }) => events));
    await until('an empty outbox', async () => !(await bus.things.exists({ outboxAt: { $exists: true } })));
    expect(await bus.things.countDocuments({ outbox: { $exists: true } })).toBe(0);
  });

  it('clears documents that were published shortly after each other together', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => 400 + index);
    const written = ids.map((id) => ({ id, event: memberUpdated(id) }));
    await Promise.all(written.map(({ id, event }) => bus.write(id, [event])));
    let writes = 0;
    bus.connection.set('debug', (_collection: string, method: string) => {
      if (method === 'updateMany') writes += 1;
    });
    for (const { id, event } of written) outbox.publishSoon(id, [event]);
    for (const { id } of written) await cleared(id);
    bus.connection.set('debug', false);
    expect(writes).toBeLessThan(6);
  });

  it('keeps an event that was written concurrently, with `outboxAt`', async () => {
    const [first, second] = [memberUpdated(2), memberUpdated(2)];
    await bus.write(2, [first, second]);
    outbox.publishSoon(2, [first]);
    await received.has([first]);
    await until('only the second left', async () => (await outboxOf(2))?.length === 1);
    await outbox.close();
    expect(await outboxOf(2)).toEqual([second.id]);
    expect((await bus.things.findById(2).lean())?.outboxAt).toBeInstanceOf(Date);
    expect(await bus.outbox().relayOnce(inAMoment())).toBe(1);
    await received.has([second]);
    await cleared(2);
  });

  it('keeps events during an outage of the broker, and relays them afterwards', async () => {
    const event = memberUpdated(3);
    bus.proxy.cut();
    await until('the connection lost', () => !bus.broker.manager.isConnected());
    await bus.write(3, [event]);
    outbox.publishSoon(3, [event]);
    await expect(outbox.relayOnce(inAMoment())).rejects.toThrow('rabbitmq is unavailable');
    expect(await outboxOf(3)).toEqual([event.id]);
    bus.proxy.restore();
    await until('the connection back', () => bus.broker.manager.isConnected());
    expect(await outbox.relayOnce(inAMoment())).toBe(1);
    await received.has([event]);
    await cleared(3);
  });

  it('does not wait for a hanging broker at shutdown, and keeps the entry', async () => {
    const { broker, publisher, outbox: ending } = bus.process();
    await until('connected', async () => {
      await publisher.publish(memberUpdated(1));
      return true;
    });
    const event = memberUpdated(5);
    await bus.write(5, [event]);
    bus.proxy.slow(60_000);
    // The confirm timeout of a publish.
    const confirm = bus.publisher.publish(memberUpdated(6)).catch(() => 'waited for the broker');
    ending.publishSoon(5, [event]);
    publisher.closeSoon();
    const ended = (async () => {
      await ending.close();
      await publisher.close();
      await broker.close();
      return 'ended';
    })();
    expect(await Promise.race([ended, confirm])).toBe('ended');
    expect(await outboxOf(5)).toEqual([event.id]);
    await expect(publisher.publish(event)).rejects.toThrow('rabbitmq is unavailable');
    bus.proxy.cut();
    await confirm;
  });

  it('skips entries younger than the grace period', async () => {
    await bus.write(4, [memberUpdated(4)]);
    expect(await outbox.relayOnce(new Date(Date.now() - 60_000))).toBe(0);
    expect(await outboxOf(4)).toHaveLength(1);
  });

  it('relays events of a process that died after its write', async () => {
    const events = Array.from({ length: 450 }, (_, index) => memberUpdated(index + 1));
    await Promise.all(events.map((event, index) => bus.write(index, [event])));
    const relay = bus.outbox({ graceMs: 0, pollMs: 20 });
    relay.startRelay();
    await received.has(events);
    await until('an empty outbox', async () => !(await bus.things.exists({ outboxAt: { $exists: true } })));
    await relay.close();
    expect(await relay.published()).toBe(450);
  });

  it('keeps an unroutable event without blocking others', async () => {
    const { exchange, raw, queue } = bus;
    const takers = queueNames.filter((name) => queues[name].some((pattern) => pattern === 'membership.*'));
    // Opening a channel declares the topology, so the binding is removed afterwards.
    await bus.write(0, [memberUpdated(1)]);
    await outbox.relayOnce(inAMoment());
    for (const name of takers) await raw.unbindQueue(queue(name), exchange, 'membership.*');
    const stuck = Array.from({ length: 201 }, (_, index) => membershipChanged(index + 1));
    const longAgo = new Date(Date.now() - 60_000);
    await Promise.all(stuck.map((event, index) => bus.write(index, [event], longAgo)));
    const event = memberUpdated(1_000);
    await bus.write(1_000, [event]);

    expect(await outbox.relayOnce(inAMoment())).toBe(1);
    await received.has([event]);
    expect(await bus.things.countDocuments({ outboxAt: { $exists: true } })).toBe(201);

    for (const name of takers) await raw.bindQueue(queue(name), exchange, 'membership.*');
    const told = recorder();
    const other = bus.consume({ queue: 'profile.memberships', handle: told.handle });
    expect(await outbox.relayOnce(inAMoment())).toBe(201);
    await told.has(stuck);
    await other.close();
  });
});

describe('two relays', () => {
  it('share a lease: the second works when the first closes', async () => {
    const first = bus.outbox({ graceMs: 0, pollMs: 20 });
    const second = bus.outbox({ graceMs: 0, pollMs: 20 });
    first.startRelay();
    await until('the first holds the lease', async () => {
      await bus.write(1, [memberUpdated(1)]);
      return (await first.published()) > 0;
    });
    second.startRelay();
    await Promise.all(Array.from({ length: 50 }, (_, id) => bus.write(id, [memberUpdated(id + 1)])));
    await until('an empty outbox', async () => !(await bus.things.exists({ outboxAt: { $exists: true } })));
    expect(await second.published()).toBe(0);

    await first.close();
    const before = await first.published();
    await bus.write(2, [memberUpdated(2)]);
    await until('the second took over', async () => (await second.published()) === 1);
    expect(await first.published()).toBe(before);
    await second.close();
  });
});
