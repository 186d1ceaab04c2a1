import type { Event } from '@covalence/contract/events';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDeadLetters, type DeadLetter, type OpenDeadLetters } from '../../src/dead-letters/queue.ts';
import { createDeadLetterService } from '../../src/dead-letters/service.ts';
import { deadExchangeOf } from '../../src/topology.ts';
import { memberUpdated, recorder, startBus, type Bus } from '../harness.ts';

let bus: Bus;
let letters: OpenDeadLetters;
beforeAll(async () => {
  bus = await startBus('dead-letters');
  letters = await openDeadLetters(testStores().RABBITMQ_URL, bus.namespace);
});
afterAll(async () => {
  await letters.close();
  await bus.close();
});

const events = [1, 2, 3].map(memberUpdated) as [Event, Event, Event];

const waiting = async (): Promise<number> => (await letters.counts())['search.index'];

/** Rejects the messages of a queue, as a consumer does. */
async function refuse(count: number): Promise<void> {
  for (let refused = 0; refused < count; refused += 1) {
    const message = await until('a message', async () => bus.raw.get(bus.queue('search.index')));
    bus.raw.nack(message, false, false);
  }
}

beforeEach(async () => {
  for (const event of events) await bus.publisher.publish(event);
  await refuse(events.length);
  await until('all dead', async () => (await waiting()) === events.length);
});
afterEach(async () => {
  await letters.processEach('search.index', () => 'drop');
  await until('none left', async () => (await waiting()) === 0);
});

const look = async (): Promise<DeadLetter[]> => {
  const seen = await letters.read('search.index');
  await until('put back', async () => (await waiting()) === seen.length);
  return seen;
};

describe('dead letters', () => {
  it('have type, time and reason, and stay after they were read', async () => {
    const seen = await look();
    expect(seen.map(({ id, type, reason }) => ({ id, type, reason }))).toEqual(
      events.map(({ id, type }) => ({ id, type, reason: 'rejected' })),
    );
    expect(seen.map(({ content }) => JSON.parse(content) as unknown)).toEqual(events);
    const age = Date.now() - (seen[0]?.died?.getTime() ?? 0);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(60_000);
    expect(await look()).toEqual(seen);
  });

  it('are replayed to their own queue only, and removed', async () => {
    const [first, second, third] = events;
    const done = await letters.processEach('search.index', ({ id }) =>
      id === second.id ? 'replay' : 'keep',
    );
    expect(done).toEqual({ keep: 2, replay: 1, drop: 0 });
    const received = recorder();
    const consumer = bus.consume({ queue: 'search.index', handle: received.handle });
    await received.has([second]);
    await consumer.close();
    expect(received.events).toEqual([second]);
    expect(await bus.raw.checkQueue(bus.queue('updates.live'))).toMatchObject({ messageCount: 0 });
    await until('the others', async () => (await waiting()) === 2);
    expect((await look()).map(({ id }) => id)).toEqual([first.id, third.id]);
  });

  it('keep their type when they are rejected again', async () => {
    await letters.processEach('search.index', () => 'replay');
    await refuse(events.length);
    await until('dead again', async () => (await waiting()) === events.length);
    expect(new Set((await look()).map(({ type }) => type))).toEqual(new Set(['member.updated']));
  });

  it('can be dropped', async () => {
    expect(await letters.processEach('search.index', () => 'drop')).toEqual({ keep: 0, replay: 0, drop: 3 });
    expect(await waiting()).toBe(0);
  });

  it('that are not events are shown unchanged', async () => {
    bus.raw.publish(bus.exchange, 'member.updated', Buffer.from('not json'), { persistent: true });
    await refuse(1);
    await until('dead', async () => (await waiting()) === events.length + 1);
    expect((await look()).at(-1)).toMatchObject({
      id: expect.stringMatching(/^no-id-[0-9a-f]{12}$/),
      type: 'member.updated',
      content: 'not json',
    });
  });

  it('have a count of replays and the error of the consumer', async () => {
    await letters.processEach('search.index', () => 'replay');
    const consumer = bus.consume({
      queue: 'search.index',
      handle: () => Promise.reject(new TypeError('not this one')),
    });
    await until('dead again', async () => (await waiting()) === events.length);
    await consumer.close();
    const [first] = await look();
    expect(first).toMatchObject({
      id: events[0].id,
      type: 'member.updated',
      reason: 'rejected',
      error: 'TypeError: not this one',
      tries: 5,
      replays: 1,
    });
    expect(first?.died?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('stay when their queue is missing', async () => {
    await bus.raw.deleteQueue(bus.queue('search.index'));
    await expect(letters.processEach('search.index', () => 'replay')).rejects.toThrow('does not exist');
    await letters.close();
    letters = await openDeadLetters(testStores().RABBITMQ_URL, bus.namespace);
    await until('all there', async () => (await waiting()) === events.length);
  });

  it('stay when the connection is lost while they are read', async () => {
    const other = await openDeadLetters(bus.proxy.url, bus.namespace);
    const cut = other.processEach('search.index', () => {
      bus.proxy.cut();
      return 'drop';
    });
    await expect(cut).rejects.toThrow(/ended|closed|EPIPE|ECONNRESET/i);
    bus.proxy.restore();
    await until('all back', async () => (await waiting()) === events.length);
    await until('the publisher', () => bus.broker.manager.isConnected());
  });
});

const placeOf = ({ id }: Event) => ({ queue: 'search.index' as const, id });

describe('the dead-letter service', () => {
  const [first, second] = events;
  it('shares its list for two seconds, unless letters are settled', async () => {
    const service = createDeadLetterService(bus.broker, ['search.index']);
    const list = await service.list();
    expect(list.queues).toMatchObject([{ queue: 'search.index', waiting: 3 }]);
    expect(await service.list()).toBe(list);
    await service.settle({ action: 'drop', letters: [placeOf(first)] });
    expect((await service.list()).queues).toMatchObject([{ waiting: 2 }]);
  });

  it('says what was replayed before it failed', async () => {
    const lost = { queue: 'search.usage', id: 'lost' } as const;
    bus.raw.publish(deadExchangeOf(bus.namespace), bus.queue(lost.queue), Buffer.from('{}'), {
      messageId: lost.id,
    });
    await until('the letter', async () => (await letters.counts())[lost.queue] === 1);
    await bus.raw.deleteQueue(bus.queue(lost.queue));
    const service = createDeadLetterService(bus.broker, ['search.index', 'search.usage']);
    const order = { action: 'replay' as const, letters: [placeOf(first), lost] };
    expect(await service.settle(order)).toEqual({ settled: [placeOf(first)], unfinished: true });
    await letters.close();
    letters = await openDeadLetters(testStores().RABBITMQ_URL, bus.namespace);
    await letters.processEach(lost.queue, () => 'drop');
  });

  it('does nothing after its time, and answers again once the broker does', async () => {
    const service = createDeadLetterService(bus.broker, ['search.index'], { listMs: 300, settleMs: 200 });
    bus.proxy.slow(1_500);
    const late = [service.list(), service.settle({ action: 'drop', letters: [placeOf(second)] })];
    const answers = await Promise.allSettled(late);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    bus.proxy.restore();
    const { queues } = await until('an answer', () => service.list().catch(() => undefined));
    expect(queues).toMatchObject([{ waiting: 3 }]);
  });
});
