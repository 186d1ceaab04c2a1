import { createLogger } from '@covalence/runtime/logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { v7 } from 'uuid';
import { createPushQueue, type ClaimedDevice, type PushQueue } from '../../src/push/push-queue-store.ts';

const lane = 'push.test';
const leaseMs = 60_000;

const claimOne = async (store: PushQueue): Promise<ClaimedDevice> => {
  const [claimed] = await store.claim(lane, 10, leaseMs);
  if (!claimed) throw new Error('nothing is due');
  return claimed;
};

const dataOf = ({ messages }: ClaimedDevice) => messages.map(({ update }) => update.data);

const namesOf = ({ messages }: ClaimedDevice) => messages.map(({ type, count }) => ({ type, count }));

describe('the push queue', () => {
  let redis: Redis;
  let now = Date.parse('2026-01-01T00:00:00Z');
  const clock = () => new Date(now);
  const logger = createLogger('updates', 'silent');

  beforeAll(() => {
    redis = new Redis(testStores().REDIS_URL);
  });
  afterAll(() => redis.disconnect());

  const storeOf = (perLane = 10, namespace = testNamespace('waiting')) =>
    createPushQueue(redis, { namespace, waitingIn: () => perLane, logger, clock });

  const liked = (member: number, profileid: number, eventId = v7()) => ({
    type: 'like' as const,
    message: {
      member,
      eventId,
      update: { type: 'like' as const, at: clock().toISOString(), data: { profileid } },
    },
    endpoints: [`https://${lane}/${member}`],
  });

  it('lets one process at a time claim a device, and keeps messages that arrive meanwhile', async () => {
    const store = storeOf();
    await store.add(liked(1, 1));
    const claimed = await claimOne(store);
    expect(dataOf(claimed)).toEqual([{ profileid: 1 }]);
    expect(await store.add(liked(1, 2))).toEqual({ replaced: 1, dropped: 0 });
    expect([await store.claim(lane, 10, leaseMs), await store.lanesDue(10)]).toEqual([[], []]);
    await store.settle(claimed, { done: claimed.messages, next: now, failing: undefined });
    const next = await claimOne(store);
    expect(dataOf(next)).toEqual([{ profileid: 2 }]);
    await store.settle(next, { done: next.messages, next: now, failing: undefined });
    expect([await store.count(), await store.lanesDue(10)]).toEqual([0, []]);
  });

  it('keeps the later event of a type, in whatever order they arrive', async () => {
    const store = storeOf();
    const [earlier, later] = [v7(), v7()];
    await store.add(liked(1, 2, later));
    expect(await store.add(liked(1, 1, earlier))).toEqual({ replaced: 1, dropped: 0 });
    expect(dataOf(await claimOne(store))).toEqual([{ profileid: 2 }]);
  });

  it('sends no earlier event of a type after a later one, which it would replace on the phone', async () => {
    const store = storeOf();
    const [earlier, later] = [v7(), v7()];
    await store.add(liked(1, 2, later));
    const sent = await claimOne(store);
    await store.settle(sent, { done: sent.messages, next: now, failing: undefined });
    expect(await store.add(liked(1, 1, earlier))).toEqual({ replaced: 1, dropped: 0 });
    await store.add({ ...liked(1, 9, v7()), type: 'match' });
    expect(namesOf(await claimOne(store))).toEqual([{ type: 'match', count: 1 }]);
  });

  it('ignores a process whose claim has ended', async () => {
    const store = storeOf();
    await store.add(liked(1, 1));
    const late = await claimOne(store);
    now += leaseMs;
    const claimed = await claimOne(store);
    await store.settle(late, { done: [], next: now, failing: { since: now, attempts: 1 } });
    expect(await store.lanesDue(10)).toEqual([]);
    await store.settle(claimed, { done: [], next: now + 5, failing: { since: now, attempts: 2 } });
    now += 5;
    expect((await claimOne(store)).failing).toEqual({ since: now - 5, attempts: 2 });
  });

  it('keeps the pause of a failing device that has no messages', async () => {
    const store = storeOf();
    await store.add(liked(1, 1));
    const claimed = await claimOne(store);
    await store.settle(claimed, {
      done: claimed.messages,
      next: now + 10_000,
      failing: { since: now, attempts: 1 },
    });
    await store.add(liked(1, 2));
    expect(await store.lanesDue(10)).toEqual([]);
    now += 10_000;
    expect(await store.lanesDue(10)).toEqual([lane]);
  });

  it('lets messages rest until quiet hours end, and wakes the device for one that does not wait', async () => {
    const store = storeOf();
    const hour = 3_600_000;
    const alert = () => ({ ...liked(1, 9), type: 'session' as const });
    await store.add({ ...liked(1, 1), from: now + hour });
    await store.add({ ...liked(1, 2), from: now + hour });
    expect(await store.lanesDue(10)).toEqual([]);
    await store.add(alert());
    const woken = await claimOne(store);
    expect(namesOf(woken)).toEqual([
      { type: 'like', count: 2 },
      { type: 'session', count: 1 },
    ]);
    // Another alert comes while the first one is sent.
    const next = now + hour;
    const sent = woken.messages.filter(({ type }) => type === 'session');
    await store.add(alert());
    await store.settle(woken, { done: sent, next, failing: undefined, rests: true });
    const again = await claimOne(store);
    expect(namesOf(again)).toContainEqual({ type: 'session', count: 2 });
    const done = again.messages.filter(({ type }) => type === 'session');
    await store.settle(again, { done, next, failing: undefined, rests: true });
    await store.add({ ...liked(1, 3), from: next });
    expect(await store.lanesDue(10)).toEqual([]);
    now += hour;
    expect(namesOf(await claimOne(store))).toEqual([{ type: 'like', count: 3 }]);
  });

  it('sends a message that does not wait at once to a device that failed before it rested', async () => {
    const store = storeOf();
    const hour = 3_600_000;
    await store.add(liked(1, 1));
    const failed = await claimOne(store);
    const failing = { since: now, attempts: 1 };
    await store.settle(failed, { done: [], next: now + 10_000, failing });
    now += 10_000;
    await store.settle(await claimOne(store), { done: [], next: now + hour, failing, rests: true });
    expect(await store.lanesDue(10)).toEqual([]);
    await store.add({ ...liked(1, 2), type: 'session' });
    expect(await claimOne(store)).toMatchObject({
      failing,
      messages: [{ type: 'like' }, { type: 'session' }],
    });
  });

  it('leaves messages of a type that only a later version knows, and reads the others', async () => {
    const namespace = testNamespace('waiting');
    const store = storeOf(10, namespace);
    await store.add({ ...liked(1, 1), type: 'later' as 'like' });
    await store.add(liked(1, 2));
    await store.add(liked(2, 3));
    const claimed = await store.claim(lane, 10, leaseMs);
    const types = claimed.map(({ member, messages }) => [member, messages.map(({ type }) => type)]);
    expect(Object.fromEntries(types)).toEqual({ 1: ['like'], 2: ['like'] });
    for (const device of claimed)
      await store.settle(device, { done: device.messages, next: now, failing: undefined });
    expect(dataOf(await claimOne(store))).toEqual([]);
  });

  it('limits the devices of a push service, not the messages of a queued device', async () => {
    const store = storeOf(2);
    const added = [];
    for (const member of [1, 2, 3, 2]) added.push(await store.add(liked(member, 1)));
    const none = { replaced: 0, dropped: 0 };
    expect(added).toEqual([none, none, { ...none, dropped: 1 }, { ...none, replaced: 1 }]);
    expect(await store.count()).toBe(2);
    const elsewhere = { ...liked(4, 1), endpoints: ['https://other.test/4'] };
    expect(await store.add(elsewhere)).toEqual(none);
  });

  it('has room for others while devices rest, and always for messages about security', async () => {
    const store = storeOf(2);
    const hour = 3_600_000;
    const added = [];
    const resting = (member: number) => ({ ...liked(member, 1), from: now + hour });
    for (const member of [1, 2, 3]) added.push(await store.add(resting(member)));
    for (const member of [4, 5, 6]) added.push(await store.add(liked(member, 1)));
    expect(added.map(({ dropped }) => dropped)).toEqual([0, 0, 1, 0, 0, 1]);
    expect(await store.add({ ...liked(7, 1), type: 'session' })).toEqual({ replaced: 0, dropped: 0 });
    expect(await store.count()).toBe(3);
    const claimed = await store.claim(lane, 10, leaseMs);
    expect(new Set(claimed.map(({ member }) => member))).toEqual(new Set([4, 5, 7]));
    for (const device of claimed)
      await store.settle(device, { done: device.messages, next: now, failing: undefined });
    expect(await store.count()).toBe(0);
    now += hour;
    expect(await store.count()).toBe(2);
    // A rested device leaves room until it is sent to.
    expect(await store.add(liked(8, 1))).toEqual({ replaced: 0, dropped: 0 });
    expect(await store.claim(lane, 10, leaseMs)).toHaveLength(3);
  });

  it('adds again what Redis has lost, but nothing that was sent', async () => {
    const namespace = testNamespace('waiting');
    const store = storeOf(10, namespace);
    await store.add(liked(1, 1));
    const sent = await claimOne(store);
    await store.settle(sent, { done: sent.messages, next: now, failing: undefined });
    const lost = liked(2, 2);
    await store.add(lost);
    const keys = await redis.keys(`${namespace}:*`);
    await redis.del(...keys.filter((key) => !key.includes('event:1:')));
    redis.disconnect(true);
    await until('added again', async () => (await store.count()) === 1);
    expect(dataOf(await claimOne(store))).toEqual([{ profileid: 2 }]);
    await store.add(lost);
    expect(await store.count()).toBe(1);
  });
});
