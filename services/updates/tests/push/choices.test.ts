import { testStores } from '@covalence/testing/test-stores';
import { startPushService } from '@covalence/testing/push-service';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import webPush from 'web-push';
import { connectMember } from '../harness.ts';
import { startPushSystem, type PushProcess, type PushSystem } from '../push-harness.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The time of the day in UTC. */
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);

/** The same messages on every device. */
const all = (...messages: object[]) => [messages, messages, messages];

let system: PushSystem;
const redis = new Redis(testStores().REDIS_URL);
afterAll(() => redis.disconnect());

/** Waits until a number of a member's devices rest. */
const rest = (id: number, devices: number) =>
  until('they rest', async () => {
    const lanes = await redis.keys(`${system.namespace}:{push}:quiet:*`);
    const names = await Promise.all(lanes.map((lane) => redis.zrange(lane, '0', '-1')));
    return names.flat().filter((name) => name.startsWith(`${id}:`)).length === devices;
  });

const now = () => Date.now() + system.time.ahead;

/** Quiet hours that began an hour ago. */
const quietFor = (ms: number) => ({ from: clock(now() - hour), to: clock(now() + ms), timezone: 'UTC' });

const liked = (id: number, from = 1) =>
  system.publisher.publish('pair.liked', from, id, { at: new Date(now()).toISOString() });

describe('the choices of a member', () => {
  let process: PushProcess;
  let browsers: Awaited<ReturnType<typeof startPushService>>;
  beforeAll(async () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    [system, browsers] = await Promise.all([startPushSystem('push-choices'), startPushService()]);
    process = await system.start({
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      VAPID_SUBJECT: 'mailto:operator@site.test',
      PUSH_ALLOWED_ADDRESSES: '127.0.0.1',
    });
  });
  afterAll(async () => {
    await system.close();
    browsers.close();
  });

  /** A member with a device of each kind, and what was shown on each. */
  const everywhere = async (more: object = {}) => {
    const { id, device: phone } = await system.onApple(process, more);
    const tablet = system.fcm.device();
    const place = { platform: 'android', app: 'heartland-android', token: tablet.token };
    expect((await system.call(process, 'post', id, { ...place, ...more })).status).toBe(200);
    const browser = browsers.device();
    const target = system.profile.targets.get(id);
    const { endpoint, keys } = browser.subscription;
    const types = target?.devices[0]?.types ?? [];
    const added_at = new Date().toISOString();
    system.change(id, { devices: [...(target?.devices ?? []), { endpoint, ...keys, types, added_at }] });
    const shown = () => [
      phone.received.map(({ payload: { type, aps } }) => ({ type, ...(aps['alert'] as object) })),
      tablet.received.map((message) => {
        const { notification, data } = message as unknown as {
          notification: object;
          data: { type: string };
        };
        return { type: data.type, ...notification };
      }),
      browser.received.map(({ message: { type, title, body } }) => ({ type, title, body })),
    ];
    return { id, shown, isShown: (count: number) => shown().every(({ length }) => length === count) };
  };

  it('keep kinds that are off from every device, whatever the device asks for', async () => {
    const { id, shown, isShown } = await everywhere({ types: ['like', 'view', 'membership', 'mutual'] });
    system.change(id, { muted: ['likes', 'views', 'account'] });
    await liked(id);
    await system.publisher.publish('pair.viewed', 1, id);
    await system.publisher.membership(id, { status: 'none', autorenew: false, expires_at: null });
    await system.publisher.publish('pair.mutual', 1, id);
    await until('the connection came', () => isShown(1));
    await system.settled(process);
    const connection = { type: 'mutual', title: 'Heartland', body: 'You have a new connection.' };
    expect(shown()).toEqual(all(connection));
  });

  it('that change while a message waits count when it is sent', async () => {
    const { id, device } = await system.onApple(process);
    device.answer('TooManyRequests');
    await liked(id);
    await until('tried', () => device.requests() === 1);
    system.change(id, { muted: ['likes'] });
    await until('waits', async () => (await process.context.push?.queue.count()) === 1);
    system.time.ahead += minute;
    await system.settled(process);
    expect(device.requests()).toBe(1);
  });

  it('let all messages but those about security wait for the end of quiet hours, and come as one', async () => {
    const { id, shown, isShown } = await everywhere();
    system.change(id, { quiet_hours: quietFor(2 * hour) });
    for (const from of [1, 2, 3]) await liked(id, from);
    await system.publisher.message(4, id);
    await rest(id, 3);
    // A device rests from its first message on.
    await until(
      'counted',
      async () => (await redis.keys(`${system.namespace}:{push}:event:${id}:*`)).length === 4,
    );
    await system.publisher.alerted(id, { alert: 'session' });
    const session = {
      type: 'session',
      title: 'Heartland',
      body: 'Somebody signed in to your account on a new device.',
    };
    await until('the alert came', () => isShown(1));
    expect(shown()).toEqual(all(session));
    system.change(id, { unread: 1 });
    system.time.ahead += 2 * hour + minute;
    await until('all came', () => isShown(3));
    await system.settled(process);
    const likes = { type: 'like', title: 'Heartland', body: 'You have 3 new likes.' };
    const message = { type: 'message', title: 'Heartland', body: 'You have a new message.' };
    expect(shown()).toEqual(all(session, likes, message));
  });

  it('say nothing of messages that were read before quiet hours end', async () => {
    const { id, device } = await system.onApple(process);
    system.change(id, { quiet_hours: quietFor(2 * hour) });
    await system.publisher.message(4, id);
    await rest(id, 1);
    system.change(id, { unread: 0 });
    system.time.ahead += 2 * hour + minute;
    await system.settled(process);
    expect(device.requests()).toBe(0);
    expect(system.profile.pushCalls.at(-1)?.unread).toEqual([id]);
  });

  it('say nothing of a message whose writer was blocked before quiet hours end', async () => {
    const { id, device } = await system.onApple(process);
    system.change(id, { quiet_hours: quietFor(2 * hour) });
    await system.publisher.message(4, id);
    await rest(id, 1);
    system.change(id, { blocked: [4] });
    system.time.ahead += 2 * hour + minute;
    await system.settled(process);
    expect(device.requests()).toBe(0);
  });

  it('make a device that failed wait for the end of the quiet hours in which it would be tried again', async () => {
    const { id, device } = await system.onApple(process);
    device.answer('InternalServerError');
    await liked(id);
    await until('tried', () => device.requests() === 1);
    system.change(id, { quiet_hours: quietFor(2 * hour) });
    system.time.ahead += 20 * minute;
    await rest(id, 1);
    expect(device.requests()).toBe(1);
    system.time.ahead += 2 * hour;
    await until('came', () => device.received.length === 1);
  });

  it('show names and texts only to a member who wants them, and not in a summary', async () => {
    const { id, shown, isShown } = await everywhere();
    const messageid = await system.publisher.message(4, id);
    await until('came', () => isShown(1));
    expect(system.profile.pushCalls.at(-1)?.previews).toEqual([{ id, profileid: 4, messageid }]);
    const text = 'Shall we walk on Sunday?';
    const previews = system.profile.calls.get('/internal/push/targets');
    system.profile.calls.set('/internal/push/targets', (body) => {
      const asked = system.profile.pushCalls.length;
      const answer = previews?.(body) as { targets: { id: number }[] };
      const wanted = system.profile.pushCalls[asked]?.previews.filter((one) => one.id === id) ?? [];
      const found = wanted.map(({ id: _id, ...one }) => ({ ...one, name: 'Ada', text }));
      return {
        targets: answer.targets.map((target) => (target.id === id ? { ...target, previews: found } : target)),
      };
    });
    await system.publisher.message(5, id);
    await until('came', () => isShown(2));
    system.profile.calls.set('/internal/push/targets', previews ?? (() => ({})));
    const hidden = { type: 'message', title: 'Heartland', body: 'You have a new message.' };
    expect(shown()).toEqual(all(hidden, { type: 'message', title: 'Ada', body: text }));
  });

  it('about security reach every device, also the one that caused them, while a socket is open', async () => {
    const { id, device: phone } = await system.onApple(process, { types: ['message'] });
    const other = system.apns.device();
    const place = { platform: 'ios', app: 'heartland-ios', token: other.token };
    await system.call(process, 'post', id, { ...place, types: ['like'] });
    const { socket } = await connectMember(process, system.tokens, id);
    await system.publisher.alerted(id, { alert: 'email' });
    await until('came', () => phone.received.length === 1 && other.received.length === 1);
    expect(phone.received[0]?.headers['apns-priority']).toBe('10');
    expect(phone.received[0]?.payload).toMatchObject({
      type: 'email',
      data: {},
      aps: { alert: { body: 'The email address of your account is being changed, or was changed.' } },
    });
    system.change(id, { muted: ['security'] });
    await system.publisher.alerted(id, { alert: 'two_step' });
    await system.publisher.message(1, id);
    await system.settled(process);
    socket.close();
    expect(phone.requests()).toBe(1);
  });
});
