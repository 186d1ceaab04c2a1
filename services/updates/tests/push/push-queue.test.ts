import { createLogger } from '@covalence/runtime/logger';
import { certificate } from '@covalence/testing/push-certificate';
import { startPushService } from '@covalence/testing/push-service';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import webPush from 'web-push';
import { backoffMs } from '../../src/push/sending/push-backoff.ts';
import { retryAfterMs } from '../../src/push/transports/retry-after.ts';
import { startFakeProfile } from '../fake-profile.ts';
import { startService, startPublisher, type ServiceUnderTest, type TestPublisher } from '../harness.ts';

type PushService = Awaited<ReturnType<typeof startPushService>>;

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;

const outcomesOf = async ({ context }: ServiceUnderTest) => {
  const { values } = await context.metrics.pushes.get();
  return Object.fromEntries(
    values.filter(({ value }) => value).map(({ labels, value }) => [labels.outcome, value]),
  );
};

/** Waits until this many failed attempts are stored, from which the next one is scheduled. */
const failed = (process: ServiceUnderTest, times: number) =>
  until(`${times} tries in vain`, async () => (await outcomesOf(process))['failed'] === times);

describe('push services that are slow or down', () => {
  const namespace = testNamespace('push-waiting');
  const vapid = webPush.generateVAPIDKeys();
  /** The log of the processes, as lines of JSON. */
  const lines: string[] = [];
  let tokens: TestTokens;
  let profile: Awaited<ReturnType<typeof startFakeProfile>>;
  let pushService: PushService;
  let publisher: TestPublisher;
  let redis: Redis;
  const closing: ServiceUnderTest[] = [];
  let nextMember = 1;

  beforeAll(async () => {
    tokens = await createTestTokens();
    [profile, pushService] = await Promise.all([startFakeProfile(), startPushService()]);
    publisher = await startPublisher(namespace);
    redis = new Redis(testStores().REDIS_URL);
  });
  afterEach(async () => {
    pushService.hangUp();
    await Promise.all(closing.splice(0).map((process) => process.close()));
    // The next test begins with an empty queue.
    const keys = await redis.keys(`${namespace}:{push}:*`);
    if (keys.length) await redis.del(...keys);
    lines.length = 0;
  });
  afterAll(async () => {
    await publisher.close();
    redis.disconnect();
    pushService.close();
    profile.close();
  });

  /** A process with its own clock, which is closed after the test. */
  const start = async (timeoutMs = 60_000): Promise<ServiceUnderTest & { time: { ahead: number } }> => {
    const environment = {
      PROFILE_URL: profile.url,
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: 'mailto:operator@site.test',
      PUSH_ALLOWED_ADDRESSES: '127.0.0.1',
    };
    const logger = createLogger('updates', 'warn', { write: (line) => void lines.push(line) });
    const time = { ahead: 0 };
    const sending = { ca: certificate, timeoutMs, pollMs: 10 };
    const now = () => new Date(Date.now() + time.ahead);
    const process = await startService('push-waiting', {
      namespace,
      tokens,
      environment,
      overrides: { sending, clock: now, logger },
    });
    closing.push(process);
    return Object.assign(process, { time });
  };

  const subscribed = (at: PushService = pushService) => {
    const id = (nextMember += 1);
    const device = at.device();
    const { endpoint, keys } = device.subscription;
    const added_at = new Date().toISOString();
    const devices = [{ endpoint, ...keys, types: ['like' as const, 'message' as const], added_at }];
    profile.targets.set(id, { id, title: 'Heartland', locale: 'en_US', devices, muted: [] });
    return { id, device };
  };

  it('a device that never answers does not delay others', async () => {
    await start();
    const silent = subscribed();
    silent.device.answer(...Array.from({ length: 200 }, () => 'hang' as const));
    const others = Array.from({ length: 20 }, () => subscribed());
    for (const { id } of others) {
      const many = Array.from({ length: 10 }, (_, index) =>
        publisher.publish('pair.liked', 1_000 + index, silent.id),
      );
      await Promise.all([...many, publisher.publish('pair.liked', 1, id)]);
    }
    await until('all others receive it', () => others.every(({ device }) => device.received.length === 1));
    expect(silent.device.requests()).toBe(1);
  });

  it('a push service that never answers gets 50 requests of a process at once and delays no other', async () => {
    const process = await start();
    const slow = await startPushService();
    const silent = Array.from({ length: 60 }, () => subscribed(slow));
    for (const { device } of silent) device.answer('hang');
    await Promise.all(silent.map(({ id }) => publisher.publish('pair.liked', 1, id)));
    const tried = () => silent.reduce((sum, { device }) => sum + device.requests(), 0);
    await until('all wait', async () => (await process.context.push?.queue.count()) === 60 && tried() === 50);
    const other = subscribed();
    await publisher.publish('pair.liked', 1, other.id);
    await until('it is sent', () => other.device.received.length === 1);
    expect(tried()).toBe(50);
    slow.close();
    await until('the others were tried', () => lines.some((line) => line.includes('ECONNREFUSED')));
  });

  it('another process sends what a killed process was sending', async () => {
    await start();
    const { id, device } = subscribed();
    device.answer('hang');
    await publisher.publish('pair.liked', 1, id);
    await until('under way', () => device.requests() === 1);
    const other = await start();
    await publisher.publish('pair.liked', 1, subscribed().id);
    expect(device.requests()).toBe(1);
    other.time.ahead = 61 * second;
    await until('sent', () => device.received.length === 1);
    await until('the queue is empty', async () => (await other.context.push?.queue.count()) === 0);
  });

  it('profile is not called when another process claimed the devices first', async () => {
    await start();
    const path = '/internal/push/targets';
    const answer = profile.calls.get(path);
    const calls: { readonly ids: readonly number[] }[] = [];
    profile.calls.set(path, (body) => {
      calls.push(body as { ids: number[] });
      return answer?.(body) ?? {};
    });
    const lanes = `${namespace}:{push}:lanes`;
    await redis.zadd(lanes, 0, 'taken.test');
    await until('the queue is checked', async () => (await redis.zscore(lanes, 'taken.test')) === null);
    const { id, device } = subscribed();
    await publisher.publish('pair.liked', 1, id);
    await until('it is sent', () => device.received.length === 1);
    const ids = [id];
    // A message of the case before may be sent late.
    const own = calls.filter((each) => !each.ids.some((one) => one !== id));
    expect(own).toEqual([{ ids }, { ids, badges: false, unread: [], previews: [] }]);
    if (answer) profile.calls.set(path, answer);
  });

  it('a process that shuts down hands its messages to another one at once', async () => {
    const ending = await start();
    const { id, device } = subscribed();
    device.answer('hang');
    await publisher.publish('pair.liked', 1, id);
    await until('under way', () => device.requests() === 1);
    await ending.close();
    closing.length = 0;
    const other = await start();
    await until('the queue is empty', async () => (await other.context.push?.queue.count()) === 0);
    expect(device.received).toHaveLength(1);
    expect([await outcomesOf(ending), await outcomesOf(other)]).toEqual([{}, { sent: 1 }]);
  });

  it('retries after 10 s and 40 s, and starts again at 10 s after a success', async () => {
    const process = await start();
    const { id, device } = subscribed();
    const tryAfter = async (ms: number) => {
      const before = device.requests();
      process.time.ahead += ms - 5 * second;
      // Another device receives a message: the process has checked the queue.
      const other = subscribed();
      await publisher.publish('pair.liked', 1, other.id);
      await until('looked', () => other.device.received.length === 1);
      expect(device.requests()).toBe(before);
      process.time.ahead += 5 * second;
      await until('tried again', () => device.requests() === before + 1);
    };
    device.answer(429, 503, 201, 500);
    await publisher.publish('pair.liked', 1, id);
    await failed(process, 1);
    await tryAfter(10 * second);
    await failed(process, 2);
    await tryAfter(40 * second);
    await until('sent', () => device.received.length === 1);
    await publisher.publish('pair.liked', 2, id);
    await failed(process, 3);
    await tryAfter(10 * second);
    await until('sent', () => device.received.length === 2);
    expect(device.received.map(({ message }) => message['data'])).toEqual([
      { profileid: 1 },
      { profileid: 2 },
    ]);
  });

  it('waits for as long as the push service asks', async () => {
    const process = await start();
    const { id, device } = subscribed();
    device.answer({ status: 429, retryAfter: '7200' });
    await publisher.publish('pair.liked', 1, id);
    await failed(process, 1);
    process.time.ahead = 7_000 * second;
    const other = subscribed();
    await publisher.publish('pair.liked', 2, id);
    await publisher.publish('pair.liked', 1, other.id);
    await until('looked', () => other.device.received.length === 1);
    expect(device.requests()).toBe(1);
    process.time.ahead = 7_201 * second;
    await until('sent', () => device.received.length === 1);
    // The newer message has replaced the waiting one.
    await until('the queue is empty', async () => (await process.context.push?.queue.count()) === 0);
    expect(device.received.map(({ message }) => message['data'])).toEqual([{ profileid: 2 }]);
    expect(await outcomesOf(process)).toEqual({ failed: 1, replaced: 1, sent: 2 });
  });

  it.each([
    ['400, which the next try does not mend', 400],
    ['a redirect, which is not followed', 301],
  ])('gives up the message at %s, and not the device', async (_case, status) => {
    const process = await start();
    const { id, device } = subscribed();
    device.answer(status);
    await publisher.publish('pair.liked', 1, id);
    await until(
      'tried',
      async () => device.requests() === 1 && (await process.context.push?.queue.count()) === 0,
    );
    await publisher.publish('pair.liked', 2, id);
    await until('it is queued', async () => (await process.context.push?.queue.count()) === 1);
    process.time.ahead = 10 * second;
    await until('sent', () => device.received.length === 1);
    expect([device.requests(), device.received[0]?.message['data']]).toEqual([2, { profileid: 2 }]);
  });

  it('drops messages a day old, and messages for a device that is no longer the member’s', async () => {
    const process = await start();
    const [stale, left] = [subscribed(), subscribed()];
    for (const { id, device } of [stale, left]) {
      device.answer(503);
      await publisher.publish('pair.liked', 1, id);
    }
    await failed(process, 2);
    profile.targets.delete(left.id);
    process.time.ahead = day + hour;
    await until('the queue is empty', async () => (await process.context.push?.queue.count()) === 0);
    expect([stale.device.requests(), left.device.requests()]).toEqual([1, 1]);
    expect(await outcomesOf(process)).toEqual({ failed: 2, dropped: 1 });
  });

  it('drops what waits for a device whose sign-in has ended, not what waits for another one', async () => {
    const process = await start();
    const { id, device: ended } = subscribed();
    const before = profile.targets.get(id);
    const other = pushService.device();
    const { endpoint, keys } = other.subscription;
    const kept = { endpoint, ...keys, types: ['like' as const], added_at: new Date().toISOString() };
    if (!before) throw new Error('no such member');
    profile.targets.set(id, { ...before, devices: [...before.devices, kept] });
    for (const device of [ended, other]) device.answer(503);
    await publisher.publish('pair.liked', 1, id);
    await failed(process, 2);
    profile.targets.set(id, { ...before, devices: [kept] });
    process.time.ahead = 15 * second;
    await until('the other one receives it', () => other.received.length === 1);
    await until('the queue is empty', async () => (await process.context.push?.queue.count()) === 0);
    expect([ended.requests(), ended.received]).toEqual([1, []]);
  });

  it('removes a device that failed for a week and at least ten times', async () => {
    const process = await start();
    const { id, device } = subscribed();
    device.answer(...Array.from({ length: 11 }, () => 500));
    const devices = () => profile.targets.get(id)?.devices.length;
    for (let tries = 1; tries <= 9; tries += 1) {
      await publisher.publish('pair.liked', tries, id, {
        at: new Date(Date.now() + process.time.ahead).toISOString(),
      });
      await failed(process, tries);
      process.time.ahead += 25 * hour;
    }
    expect(devices()).toBe(1);
    await publisher.publish('pair.liked', 10, id, {
      at: new Date(Date.now() + process.time.ahead).toISOString(),
    });
    await until('forgotten', () => devices() === 0);
    await until('the queue is empty', async () => (await process.context.push?.queue.count()) === 0);
    expect(device.requests()).toBe(10);
  });

  it.each([
    [500, 'status 500'],
    [400, 'status 400'],
    ['hang', 'ABORT_ERR'],
  ] as const)('logs why it was not sent, and neither whom to nor where: %s', async (status, reason) => {
    await start(1_000);
    const { id, device } = subscribed();
    const endpoint = new URL(device.subscription.endpoint);
    device.answer(status);
    await publisher.publish('pair.liked', 19, id);
    const said = await until('it is logged', () => lines.find((line) => line.includes('not sent')));
    expect(JSON.parse(said)).toMatchObject({ level: 40, lane: endpoint.host, reason, messages: 1 });
    expect(lines.join('')).not.toContain(endpoint.pathname);
    expect(lines.join('')).not.toContain(device.subscription.keys.auth);
  });

  it('backs off up to an hour, or up to a day if the push service asks', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 100].map((tries) => backoffMs(tries) / second);
    expect(pauses).toEqual([10, 40, 160, 640, 2_560, 3_600, 3_600, 3_600]);
    expect([backoffMs(1, 11 * second), backoffMs(1, 9 * second), backoffMs(1, 2 * day)]).toEqual([
      11 * second,
      10 * second,
      day,
    ]);
  });

  it.each([
    ['120', 120 * second],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30 * second],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', 0],
    [undefined, 0],
  ])('Retry-After %j', (header, expected) => {
    expect(retryAfterMs(header, Date.parse('2026-01-01T00:00:00Z'))).toBe(expected);
  });
});
