import type { ApnsAnswer } from '@covalence/fakes/apns';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startPushSystem, type PushProcess, type PushSystem } from '../../push-harness.ts';

const minute = 60_000;

describe('push messages to Apple', () => {
  let system: PushSystem;
  let process: PushProcess;
  beforeAll(async () => {
    system = await startPushSystem('push-apns');
    process = await system.start();
  });
  beforeEach(() => void (system.lines.length = 0));
  afterAll(() => system.close());

  const outcome = async (name: string) => {
    const { values } = await process.context.metrics.pushes.get();
    return values.find(({ labels }) => labels.outcome === name)?.value ?? 0;
  };
  /** Moves the clock on with each look, because a pause begins only when the answer before it was stored. */
  const later = (ms: number, holds: () => boolean) => {
    system.time.ahead += ms;
    return holds();
  };
  const like = (id: number, from = 1) => {
    const at = new Date(Date.now() + system.time.ahead).toISOString();
    return system.publisher.publish('pair.liked', from, id, { at });
  };

  it('name nobody, in the language of the device, with topic, priority, expiry and collapse id', async () => {
    const more = { locale: 'de_DE', capabilities: ['badge', 'sound', 'time_sensitive'] };
    const { id, device } = await system.onApple(process, more);
    const target = system.profile.targets.get(id);
    if (target) system.profile.targets.set(id, { ...target, locale: 'fr_FR', unread: 3 });
    const messageid = await system.publisher.message(4711, id);
    await until('it came', () => device.received.length === 1);
    const [received] = device.received;
    expect(received?.payload).toEqual({
      aps: {
        alert: { title: 'Heartland', body: 'Du hast eine neue Nachricht.' },
        'thread-id': 'message',
        badge: 3,
        sound: 'default',
        'interruption-level': 'time-sensitive',
      },
      type: 'message',
      tag: expect.any(String),
      at: expect.any(String),
      data: { profileid: 4711, messageid },
    });
    const sent = Date.parse(String(received?.payload['at']));
    expect(received?.headers).toMatchObject({
      ':path': `/3/device/${device.token}`,
      'apns-topic': 'example.heartland',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-collapse-id': 'message',
      'apns-expiration': String(Math.floor((sent + 24 * 60 * minute) / 1_000)),
    });
  });

  it('are quiet and not urgent where the device and the kind ask for no more', async () => {
    const { id, device } = await system.onApple(process);
    await like(id, 5);
    await until('it came', () => device.received.length === 1);
    expect(device.received[0]?.payload.aps).toEqual({
      alert: { title: 'Heartland', body: 'Someone likes you.' },
      'thread-id': 'like',
    });
    expect(device.received[0]?.headers['apns-priority']).toBe('5');
  });

  it.each<[string, ApnsAnswer]>([
    ['BadDeviceToken', 'BadDeviceToken'],
    ['DeviceTokenNotForTopic', 'DeviceTokenNotForTopic'],
    ['ExpiredToken', 'ExpiredToken'],
    ['Unregistered', { reason: 'Unregistered', timestamp: Date.now() + 60 * minute }],
  ])('remove a device after one answer of %s', async (_reason, answer) => {
    const { id, device } = await system.onApple(process);
    device.answer(answer);
    await like(id);
    await until('removed', () => system.devicesOf(id) === 0);
    await like(id);
    await system.settled(process);
    expect(device.requests()).toBe(1);
  });

  it('come to a device that registered again after Apple saw that it was gone', async () => {
    const { id, device } = await system.onApple(process);
    device.answer({ reason: 'Unregistered', timestamp: Date.now() - minute });
    await like(id);
    await until('tried', () => device.requests() === 1);
    await until('came', () => later(1_000, () => device.received.length === 1));
    expect(system.devicesOf(id)).toBe(1);
  });

  it('are sent again after Apple found the connection idle', async () => {
    const { id, device } = await system.onApple(process);
    device.answer('IdleTimeout');
    await like(id);
    await until('tried', () => device.requests() === 1);
    await until('came', () => later(1_000, () => device.received.length === 1));
    expect([device.requests(), system.devicesOf(id)]).toEqual([2, 1]);
  });

  it('use one connection and one token, which is renewed after 40 minutes and when Apple calls it expired', async () => {
    const { id, device } = await system.onApple(process);
    const received = async (count: number) => {
      await like(id, count);
      await until(`${count} came`, () => device.received.length === count);
    };
    await received(1);
    const [connections, tokens] = [system.apns.connections(), system.apns.providerTokens()];
    expect([connections, tokens]).toEqual([1, 1]);
    system.time.ahead += 39 * minute;
    await received(2);
    expect(system.apns.providerTokens()).toBe(tokens);
    system.time.ahead += 2 * minute;
    await received(3);
    expect(system.apns.providerTokens()).toBe(tokens + 1);
    system.apns.expireProviderTokens();
    system.time.ahead += 1_000;
    await received(4);
    expect([system.apns.connections(), system.apns.providerTokens()]).toEqual([connections, tokens + 2]);
  });

  it('go on over a new connection after GOAWAY and after a connection that ends', async () => {
    const { id, device } = await system.onApple(process);
    const before = system.apns.connections();
    await like(id, 1);
    await until('came', () => device.received.length === 1);
    system.apns.goAway();
    await like(id, 2);
    await until('came', () => device.received.length === 2);
    system.apns.hangUp();
    await like(id, 3);
    await until('came', () => device.received.length === 3);
    expect(system.apns.connections() - before).toBeGreaterThanOrEqual(2);
  });

  it('are not sent on by a process whose claim of the device is about to end', async () => {
    const { id, device } = await system.onApple(process);
    const endpoint = system.profile.targets.get(id)?.devices[0]?.endpoint ?? '';
    device.answer('TooManyRequests');
    await like(id);
    await until('waits', async () => (await process.context.push?.queue.count()) === 1);
    await until('tried', () => device.requests() === 1);
    const at = new Date(Date.now() + system.time.ahead).toISOString();
    const update = { type: 'view' as const, at, data: { profileid: 1 } };
    const message = { member: id, eventId: '~later', update };
    await process.context.push?.queue.add({ type: 'view', message, endpoints: [endpoint] });
    const target = system.profile.targets.get(id);
    const devices = target?.devices.map((one) => ({ ...one, types: ['like' as const, 'view' as const] }));
    if (target && devices) system.profile.targets.set(id, { ...target, devices });
    system.apns.slow(300);
    // The first message takes so long that the claim ends meanwhile, and the device is claimed again.
    system.apns.listen(() => {
      system.apns.listen(() => undefined);
      system.time.ahead += 61_000;
    });
    system.time.ahead += 11_000;
    await until('both came', () => device.shown.size === 2);
    await system.settled(process);
    system.apns.slow(0);
    expect(device.received.filter(({ payload }) => payload['type'] === 'view')).toHaveLength(1);
  });

  it('wait when a device gets too many, and 15 minutes after an error of the server', async () => {
    const [busy, failed] = [await system.onApple(process), await system.onApple(process)];
    busy.device.answer('TooManyRequests');
    failed.device.answer('InternalServerError');
    await like(busy.id);
    await like(failed.id);
    await until('tried', () => busy.device.requests() + failed.device.requests() === 2);
    await until('counted', async () => (await process.context.push?.queue.count()) === 2);
    system.time.ahead += 11_000;
    await until('came', () => busy.device.received.length === 1);
    expect(failed.device.requests()).toBe(1);
    system.time.ahead += 15 * minute;
    await until('came', () => failed.device.received.length === 1);
  });

  it('stop for the whole app when Apple is down, try one device at a time, and lose and duplicate nothing', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => system.onApple(process)));
    const before = system.apns.requests();
    system.apns.answerAll('ServiceUnavailable');
    for (const { id } of all.slice(0, 20)) await like(id);
    await until('paused', () => system.lines.some((line) => line.includes('push service fails')));
    const afterPause = system.apns.requests();
    for (const { id } of all.slice(20)) await like(id);
    await until('waiting', async () => (await process.context.push?.queue.count()) === 40);
    for (let probes = 0; probes < 3; probes += 1) system.time.ahead += minute;
    await until('tried one', () => system.apns.requests() > afterPause);
    expect(system.apns.requests() - before).toBeLessThan(30);
    system.apns.answerAll(undefined);
    await until('all came', () =>
      later(minute, () => all.every(({ device }) => device.received.length === 1)),
    );
    await system.settled(process);
    expect(all.map(({ device }) => device.received.length)).toEqual(all.map(() => 1));
  });

  it.each(['InvalidProviderToken', 'TopicDisallowed'] as const)(
    'keep devices and messages while the settings of the app are wrong: %s',
    async (answer) => {
      const { id, device } = await system.onApple(process);
      system.apns.answerAll(answer);
      await like(id);
      await until('failed', () => system.lines.some((line) => line.includes(answer)));
      system.apns.answerAll(undefined);
      system.time.ahead += 2 * minute;
      await until('came', () => device.received.length === 1);
      expect(system.devicesOf(id)).toBe(1);
    },
  );

  it('never put a token or a text into the log', async () => {
    const { id, device } = await system.onApple(process);
    device.answer('PayloadTooLarge');
    const dropped = await outcome('failed');
    await like(id);
    await until('failed', async () => (await outcome('failed')) > dropped);
    await until('logged', () => system.lines.some((line) => line.includes('PayloadTooLarge')));
    const log = system.lines.join('');
    expect(log).not.toContain(device.token);
    expect(log).not.toContain('Someone likes you');
    expect(log).not.toContain('eyJ');
  });

  it('keep every device until one of the app and environment took a message: the setting may be wrong', async () => {
    const fresh = await Promise.all(
      Array.from({ length: 6 }, () => system.onApple(process, { environment: 'sandbox' })),
    );
    system.apns.answerAll('DeviceTokenNotForTopic');
    for (const { id } of fresh) await like(id);
    await until('paused', () => system.lines.some((line) => line.includes('push service fails')));
    expect(fresh.map(({ id }) => system.devicesOf(id))).toEqual(fresh.map(() => 1));
    system.apns.answerAll(undefined);
    const [wrong, ...others] = fresh;
    wrong?.device.answer('BadDeviceToken', 'BadDeviceToken');
    for (const { device } of others) {
      system.time.ahead += 2 * minute;
      await until('came', () => device.received.length === 1);
    }
    system.time.ahead += 2 * minute;
    await until('removed', () => wrong && system.devicesOf(wrong.id) === 0);
    expect(others.map(({ id }) => system.devicesOf(id))).toEqual(others.map(() => 1));
  });
});
