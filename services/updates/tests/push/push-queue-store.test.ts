import { createLogger } from '@covalence/runtime/logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { v7 } from 'uuid';
import { createPushQueue, type ClaimedDevice, type PushQueue } from '../../src/push/push-queue-store.ts';

const host = 'push.test';
const leaseMs = 60_000;

const takenOf = async (store: PushQueue): Promise<ClaimedDevice> => {
  const [taken] = await store.take(host, 10, leaseMs);
  if (!taken) throw new Error('nothing is due');
  return taken;
};

const dataOf = ({ messages }: ClaimedDevice) => messages.map(({ update }) => update.data);

describe('what waits to be pushed', () => {
  let redis: Redis;
  let now = Date.parse('2026-01-01T00:00:00Z');
  const clock = () => new Date(now);
  const logger = createLogger('updates', 'silent');

  beforeAll(() => {
    redis = new Redis(testStores().REDIS_URL);
  });
  afterAll(() => redis.disconnect());

  const storeOf = (perHost = 10, namespace = testNamespace('waiting')) =>
    createPushQueue(redis, { namespace, perHost, logger, clock });

  const liked = (member: number, profileid: number, eventId = v7()) => ({
    type: 'like' as const,
    message: {
      member,
      eventId,
      update: { type: 'like' as const, at: clock().toISOString(), data: { profileid } },
    },
    endpoints: [`https://${host}/${member}`],
  });

  it('gives a device to one process at a time, and what came meanwhile afterwards', async () => {
    const store = storeOf();
    await store.add(liked(1, 1));
    const taken = await takenOf(store);
    expect(dataOf(taken)).toEqual([{ profileid: 1 }]);
    expect(await store.add(liked(1, 2))).toEqual({ replaced: 1, dropped: 0 });
    expect([await store.take(host, 10, leaseMs), await store.hostsDue(10)]).toEqual([[], []]);
    await store.settle(taken, { over: taken.messages, next: now, failing: undefined });
    const next = await takenOf(store);
    expect(dataOf(next)).toEqual([{ profileid: 2 }]);
    await store.settle(next, { over: next.messages, next: now, failing: undefined });
    expect([await store.count(), await store.hostsDue(10)]).toEqual([0, []]);
  });

  it('a process that comes back after its lease does not disturb the one that has taken over', async () => {
    const store = storeOf();
    await store.add(liked(1, 1));
    const late = await takenOf(store);
    now += leaseMs;
    const taken = await takenOf(store);
    await store.settle(late, { over: [], next: now, failing: { since: now, tries: 1 } });
    expect(await store.hostsDue(10)).toEqual([]);
    await store.settle(taken, { over: [], next: now + 5, failing: { since: now, tries: 2 } });
    now += 5;
    expect((await takenOf(store)).failing).toEqual({ since: now - 5, tries: 2 });
  });

  it('keeps a device that takes nothing to its pause, when nothing waits for it too', async () => {
    const store = storeOf();
    await store.add(liked(1, 1));
    const taken = await takenOf(store);
    await store.settle(taken, {
      over: taken.messages,
      next: now + 10_000,
      failing: { since: now, tries: 1 },
    });
    await store.add(liked(1, 2));
    expect(await store.hostsDue(10)).toEqual([]);
    now += 10_000;
    expect(await store.hostsDue(10)).toEqual([host]);
  });

  it('has room for so many devices of a push service, and for every message to those', async () => {
    const store = storeOf(2);
    const added = [];
    for (const member of [1, 2, 3, 2]) added.push(await store.add(liked(member, 1)));
    const told = { replaced: 0, dropped: 0 };
    expect(added).toEqual([told, told, { ...told, dropped: 1 }, { ...told, replaced: 1 }]);
    expect(await store.count()).toBe(2);
    const elsewhere = { ...liked(4, 1), endpoints: ['https://other.test/4'] };
    expect(await store.add(elsewhere)).toEqual(told);
  });

  it('adds again what Redis has lost, and nothing that was sent', async () => {
    const namespace = testNamespace('waiting');
    const store = storeOf(10, namespace);
    await store.add(liked(1, 1));
    const sent = await takenOf(store);
    await store.settle(sent, { over: sent.messages, next: now, failing: undefined });
    const lost = liked(2, 2);
    await store.add(lost);
    const keys = await redis.keys(`${namespace}:*`);
    await redis.del(...keys.filter((key) => !key.includes('told:1:')));
    redis.disconnect(true);
    await until('added again', async () => (await store.count()) === 1);
    expect(dataOf(await takenOf(store))).toEqual([{ profileid: 2 }]);
    await store.add(lost);
    expect(await store.count()).toBe(1);
  });
});
