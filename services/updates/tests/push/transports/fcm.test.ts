import type { FcmAnswer } from '@covalence/fakes/fcm';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startPushSystem, type PushProcess, type PushSystem } from '../../push-harness.ts';

const second = 1_000;

describe('push messages to Firebase', () => {
  let system: PushSystem;
  let process: PushProcess;
  beforeAll(async () => {
    system = await startPushSystem('push-fcm');
    process = await system.start();
  });
  beforeEach(() => void (system.lines.length = 0));
  afterAll(() => system.close());

  const like = (id: number, from = 1) => {
    const at = new Date(Date.now() + system.time.ahead).toISOString();
    return system.publisher.publish('pair.liked', from, id, { at });
  };
  const paused = () =>
    until('paused', () => system.lines.some((line) => line.includes('push service fails')));

  it('keep a device of another project until the app has sent a message', async () => {
    const [wrong, good] = [await system.onGoogle(process), await system.onGoogle(process)];
    wrong.device.answer('SENDER_ID_MISMATCH', 'SENDER_ID_MISMATCH');
    await like(wrong.id);
    await until('tried', () => system.lines.some((line) => line.includes('SENDER_ID_MISMATCH')));
    expect(system.devicesOf(wrong.id)).toBe(1);
    await like(good.id);
    await until('came', () => good.device.received.length === 1);
    system.time.ahead += 11 * second;
    await until('removed', () => system.devicesOf(wrong.id) === 0);
  });

  it('name nobody, in the language of the device, with priority, lifetime and collapse key', async () => {
    const { id, device } = await system.onGoogle(process, { locale: 'el', capabilities: ['badge'] });
    const target = system.profile.targets.get(id);
    if (target) system.profile.targets.set(id, { ...target, unread: 2 });
    const messageid = await system.publisher.message(4711, id);
    await until('it came', () => device.received.length === 1);
    const [received] = device.received;
    expect(received).toEqual({
      token: device.token,
      notification: { title: 'Heartland', body: 'Έχετε ένα νέο μήνυμα.' },
      data: {
        type: 'message',
        lang: 'el-GR',
        tag: expect.any(String),
        at: expect.any(String),
        data: JSON.stringify({ profileid: 4711, messageid }),
      },
      android: {
        collapse_key: 'message',
        priority: 'HIGH',
        ttl: expect.stringMatching(/^863\d\ds$/),
        notification: {
          tag: 'message',
          channel_id: 'message',
          visibility: 'PRIVATE',
          default_sound: false,
          notification_count: 2,
        },
      },
      webpush: {
        headers: { TTL: expect.stringMatching(/^863\d\d$/), Urgency: 'high', Topic: 'message' },
        notification: { tag: 'message' },
      },
    });
  });

  it('have at most four collapse keys, as many as Google stores', async () => {
    const types = ['message', 'like', 'mutual', 'match', 'view', 'moderation', 'membership'];
    const { id, device } = await system.onGoogle(process, { types });
    await system.publisher.message(5, id);
    for (const type of ['pair.liked', 'pair.mutual', 'pair.viewed'] as const)
      await system.publisher.publish(type, 5, id);
    await system.publisher.decided(id, { subject: 'profile', decision: 'approved' });
    await system.publisher.matched(id, 5, '9b2c1f8e-54a4-4f0b-8f0e-3a8d2f6c7b11');
    await system.publisher.membership(id, { status: 'none', autorenew: false, expires_at: null });
    await until('all came', () => device.received.length === types.length);
    const keys = device.received.map(({ android }) => android['collapse_key']).filter(Boolean);
    expect(keys).toHaveLength(4);
    expect(new Set(keys)).toEqual(new Set(['like', 'message', 'mutual', 'view']));
  });

  it('do not pause the app for tokens of its other systems or for devices that get too many', async () => {
    const bad = await Promise.all(Array.from({ length: 6 }, () => system.onGoogle(process)));
    const issued = system.fcm.tokens.issued();
    bad.forEach(({ device }, index) =>
      device.answer(index % 2 ? 'THIRD_PARTY_AUTH_ERROR' : 'QUOTA_EXCEEDED'),
    );
    for (const { id } of bad) await like(id);
    await until('tried', () => bad.every(({ device }) => device.requests() > 0));
    await until('waiting', async () => (await process.context.push?.queue.count()) === bad.length);
    const { id, device } = await system.onGoogle(process);
    await like(id);
    await until('came', () => device.received.length === 1);
    expect(system.lines.join('')).not.toContain('push service fails');
    expect([system.fcm.tokens.issued(), ...bad.map((one) => one.device.requests())]).toEqual([
      issued,
      ...bad.map(() => 1),
    ]);
    system.time.ahead += 61 * second;
    await system.settled(process);
  });

  it.each<FcmAnswer>(['UNREGISTERED', 'SENDER_ID_MISMATCH', 'INVALID_TOKEN'])(
    'remove a device after one answer of %s',
    async (answer) => {
      const { id, device } = await system.onGoogle(process);
      device.answer(answer);
      await like(id);
      await until('removed', () => system.devicesOf(id) === 0);
      await like(id);
      await system.settled(process);
      expect(device.requests()).toBe(1);
    },
  );

  it('keep a device when the message is refused, and give up the message', async () => {
    const { id, device } = await system.onGoogle(process);
    device.answer('INVALID_MESSAGE');
    await like(id, 1);
    await until('tried', () => device.requests() === 1);
    await system.settled(process);
    system.time.ahead += 11 * second;
    await like(id, 2);
    await until('came', () => device.received.length === 1);
    expect([device.requests(), system.devicesOf(id)]).toEqual([2, 1]);
  });

  it('use one connection and one access token, which is renewed when Google refuses it', async () => {
    const { id, device } = await system.onGoogle(process);
    await like(id, 1);
    await until('came', () => device.received.length === 1);
    expect([system.fcm.connections(), system.fcm.tokens.issued()]).toEqual([1, 1]);
    system.fcm.tokens.revokeAll();
    await like(id, 2);
    await until('came', () => device.received.length === 2);
    expect([system.fcm.connections(), system.fcm.tokens.issued()]).toEqual([1, 2]);
  });

  it('wait a minute after 429, and as long as Retry-After asks', async () => {
    const [plain, asked] = [await system.onGoogle(process), await system.onGoogle(process)];
    plain.device.answer('QUOTA_EXCEEDED');
    asked.device.answer({ error: 'QUOTA_EXCEEDED', retryAfter: '300' });
    await like(plain.id);
    await like(asked.id);
    await until('tried', () => plain.device.requests() + asked.device.requests() === 2);
    await until('waiting', async () => (await process.context.push?.queue.count()) === 2);
    system.time.ahead += 50 * second;
    const other = await system.onGoogle(process);
    await like(other.id);
    await until('came', () => other.device.received.length === 1);
    expect([plain.device.requests(), asked.device.requests()]).toEqual([1, 1]);
    system.time.ahead += 11 * second;
    await until('came', () => plain.device.received.length === 1);
    expect(asked.device.requests()).toBe(1);
    system.time.ahead += 240 * second;
    await until('came', () => asked.device.received.length === 1);
  });

  it('stop for the whole app as long as Google asks with 503', async () => {
    const [first, second_] = [await system.onGoogle(process), await system.onGoogle(process)];
    first.device.answer({ error: 'UNAVAILABLE', retryAfter: '120' });
    await like(first.id);
    await paused();
    await like(second_.id);
    await until('waiting', async () => (await process.context.push?.queue.count()) === 2);
    system.time.ahead += 110 * second;
    const apple = await system.onApple(process);
    await like(apple.id);
    await until('another app goes on', () => apple.device.received.length === 1);
    expect(second_.device.requests()).toBe(0);
    system.time.ahead += 11 * second;
    await until('both came', () => first.device.received.length + second_.device.received.length === 2);
  });

  it('keep devices and messages while Google gives no token or the account may not send', async () => {
    const { id, device } = await system.onGoogle(process);
    const failures = async (reason: string) =>
      until(reason, () => system.lines.some((line) => line.includes(reason)));
    system.fcm.tokens.revokeAll();
    system.fcm.tokens.answerAll({ status: 400, body: { error: 'invalid_grant', error_description: 'x' } });
    await like(id);
    await until('failed', () => system.lines.some((line) => line.includes('push messages not sent')));
    system.fcm.tokens.answerAll(undefined);
    system.fcm.answerAll('PERMISSION_DENIED');
    system.time.ahead += 11 * second;
    await failures('PERMISSION_DENIED');
    system.fcm.answerAll(undefined);
    system.time.ahead += 61 * second;
    await until('came', () => device.received.length === 1);
    const log = system.lines.join('');
    expect(log).not.toContain(device.token);
    expect(log).not.toContain('PRIVATE KEY');
    expect(log).not.toContain('ya29');
  });
});
