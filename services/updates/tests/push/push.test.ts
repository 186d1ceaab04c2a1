import { certificate } from '@covalence/testing/push-certificate';
import { startPushService, type Device } from '@covalence/testing/push-service';
import { testNamespace } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LookupFunction } from 'node:net';
import request from 'supertest';
import { pushText } from '../../src/push/push-texts.ts';
import { startFakeProfile } from '../fake-profile.ts';
import { createVapid } from '../push-harness.ts';
import {
  connectMember,
  startService,
  startPublisher,
  type ServiceUnderTest,
  type TestPublisher,
} from '../harness.ts';

/** Names and their addresses, one lookup after the other; the last address stays. */
const names: Record<string, string[]> = {
  'push.test': ['127.0.0.1'],
  'private.test': ['127.0.0.9'],
  'rebind.test': ['127.0.0.1', '127.0.0.9'],
};

const lookup: LookupFunction = (hostname, options, callback) => {
  const answers = names[hostname];
  const address = answers && answers.length > 1 ? answers.shift() : answers?.[0];
  if (!address) return callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), '', 4);
  if (options.all) callback(null, [{ address, family: 4 }]);
  else callback(null, address, 4);
};

describe('web push', () => {
  const namespace = testNamespace('push');
  const vapid = createVapid();
  let tokens: TestTokens;
  let profile: Awaited<ReturnType<typeof startFakeProfile>>;
  let pushService: Awaited<ReturnType<typeof startPushService>>;
  let service: ServiceUnderTest;
  let other: ServiceUnderTest;
  let publisher: TestPublisher;
  let nextMember = 1;
  const member = () => (nextMember += 1);

  beforeAll(async () => {
    tokens = await createTestTokens();
    [profile, pushService] = await Promise.all([startFakeProfile(), startPushService()]);
    const environment = {
      PROFILE_URL: profile.url,
      ...vapid,
      PUSH_ALLOWED_ADDRESSES: '127.0.0.1',
    };
    const start = () =>
      startService('push', {
        namespace,
        tokens,
        environment,
        overrides: { sending: { ca: certificate, lookup } },
      });
    [service, other] = await Promise.all([start(), start()]);
    publisher = await startPublisher(namespace);
  });
  afterAll(async () => {
    await publisher.close();
    await Promise.all([service.close(), other.close()]);
    pushService.close();
    profile.close();
  });

  const call = async (method: 'get' | 'post' | 'delete', id: number, body: object = {}) => {
    const agent = request(service.url);
    const calls = {
      get: () => agent.get('/webpush'),
      post: () => agent.post('/webpush'),
      delete: () => agent.delete('/webpush'),
    };
    const authorization = await tokens.authorization({ id });
    return calls[method]().set('Authorization', authorization).send(body);
  };

  const subscribe = async (id: number, device: Device, types?: readonly string[]) => {
    const answer = await call('post', id, { ...device.subscription, ...(types && { types }) });
    expect(answer.status).toBe(200);
  };
  /** A member with one device. */
  const subscribed = async (types?: readonly string[], options: { host?: string } = {}) => {
    const id = member();
    const device = pushService.device(options);
    await subscribe(id, device, types);
    return { id, device };
  };
  /** Sends to another member's device and waits until the queue is empty: earlier events have been handled then. */
  const settled = async () => {
    const { id, device } = await subscribed();
    await publisher.publish('pair.liked', 1, id);
    await until('the queue is worked off', () => device.received.length === 1);
    await until('the queue is empty', async () => (await service.context.push?.queue.count()) === 0);
  };

  it('reaches a member without a socket, encrypted and signed, in words that name nobody', async () => {
    const { id, device } = await subscribed();
    const eventId = await publisher.publish('pair.liked', 4711, id);
    await until('it came', () => device.received.length === 1);
    const [received] = device.received;
    expect(received?.message).toEqual({
      type: 'like',
      title: 'Heartland',
      body: 'Someone likes you.',
      lang: 'en-US',
      tag: eventId,
      at: expect.any(String),
      data: { profileid: 4711 },
    });
    expect(received?.vapidKey).toBe(vapid.VAPID_PUBLIC_KEY);
    expect(received?.vapid).toMatchObject({
      sub: vapid.VAPID_SUBJECT,
      aud: `https://127.0.0.1:${pushService.port}`,
    });
    expect(received?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', topic: 'like' });
  });

  it.each([
    ['es_ES', 'Tienes un mensaje nuevo.', 'es-ES'],
    ['de_AT', 'Du hast eine neue Nachricht.', 'de-DE'],
    ['fr_FR', 'Vous avez un nouveau message.', 'fr-FR'],
    ['el_GR', 'Έχετε ένα νέο μήνυμα.', 'el-GR'],
    ['tr_TR', 'Yeni bir mesajınız var.', 'tr-TR'],
    ['ja_JP', 'You have a new message.', 'en-US'],
    ['', 'You have a new message.', 'en-US'],
  ])('speaks to a member of %j', (locale, text, lang) => {
    expect(pushText('message', locale)).toEqual({ text, lang });
  });

  it.each([
    ['fr_FR', 'mutual', 'connexion'],
    ['el_GR', 'mutual', 'σύνδεση'],
    ['tr_TR', 'mutual', 'bağlantı'],
    ['el_GR', 'like', 'κάποιον'],
    ['el_GR', 'view', 'κάποιος'],
  ] as const)(
    'in %s announces a %s without the word for a sign-in, a link or a man: %s',
    (locale, type, word) => {
      expect(pushText(type, locale).text.toLowerCase()).not.toContain(word);
    },
  );

  it("uses the member's locale and sends only the chosen types", async () => {
    const types = ['message', 'mutual', 'view', 'moderation', 'membership'];
    const { id, device } = await subscribed(types);
    const target = profile.targets.get(id);
    if (target) profile.targets.set(id, { ...target, locale: 'fr_FR' });
    await publisher.publish('pair.liked', 5, id);
    await publisher.publish('pair.declined', 5, id);
    await publisher.publish('pair.mutual', 5, id);
    await publisher.publish('pair.viewed', 5, id);
    await publisher.message(5, id);
    await publisher.decided(id, { subject: 'profile', decision: 'approved' });
    await publisher.membership(id, { status: 'none', autorenew: false, expires_at: null });
    await until('all came', () => device.received.length === types.length);
    await settled();
    expect(device.received.map(({ message }) => String(message['type'])).toSorted()).toEqual(
      types.toSorted(),
    );
    expect(device.received.map(({ message }) => message['body'])).toContain('Vous avez un nouveau message.');
  });

  it('reaches every device of a member, by default with messages, likes and connections', async () => {
    const { id, device } = await subscribed();
    const second = pushService.device();
    await subscribe(id, second);
    await publisher.publish('pair.viewed', 6, id);
    await publisher.publish('pair.liked', 6, id);
    await until('both', () => device.received.length + second.received.length === 2);
    await settled();
    expect(device.received.map(({ message }) => message['type'])).toEqual(['like']);
    expect(second.received.map(({ message }) => message['type'])).toEqual(['like']);
  });

  it('sends nothing while any process has a socket of the member', async () => {
    const { id, device } = await subscribed();
    const sockets = [await connectMember(service, tokens, id), await connectMember(other, tokens, id)];
    await publisher.publish('pair.liked', 7, id);
    for (const socket of sockets) await socket.waitFor('like');
    sockets[0]?.socket.close();
    await until('closed', () => service.context.sockets.registry.of(id).length === 0);
    await publisher.publish('pair.liked', 8, id);
    await sockets[1]?.waitFor('like', 2);
    await settled();
    expect(device.requests()).toBe(0);
    sockets[1]?.socket.close();
    await until('closed', () => other.context.sockets.registry.of(id).length === 0);
    await publisher.publish('pair.liked', 9, id);
    await until('it came', () => device.received.length === 1);
    expect(device.received[0]?.message['data']).toEqual({ profileid: 9 });
  });

  it('sends a repeated event once', async () => {
    const { id, device } = await subscribed();
    const event = await publisher.publish('pair.liked', 10, id);
    await until('it came', () => device.received.length === 1);
    await settled();
    await publisher.again(event, 'pair.liked', 10, id);
    await settled();
    expect(device.requests()).toBe(1);
  });

  it.each([404, 410])('deletes a device for which the push service answers %d', async (status) => {
    const { id, device } = await subscribed();
    device.answer(status);
    await publisher.publish('pair.liked', 11, id);
    await until('forgotten', () => profile.targets.get(id)?.devices.length === 0);
    await publisher.publish('pair.liked', 12, id);
    await settled();
    expect(device.requests()).toBe(1);
  });

  it('connects to public addresses only, even when a name resolves to another address later', async () => {
    const forbidden = await subscribed(undefined, { host: 'private.test' });
    const metadata = member();
    const stolen = pushService.device();
    const endpoint = 'https://169.254.169.254/latest';
    expect((await call('post', metadata, { ...stolen.subscription, endpoint })).status).toBe(200);
    const allowed = await subscribed(undefined, { host: 'push.test' });
    const rebinding = await subscribed(undefined, { host: 'rebind.test' });
    for (const id of [forbidden.id, metadata, allowed.id]) await publisher.publish('pair.liked', 14, id);
    await until('the public one receives it', () => allowed.device.received.length === 1);
    await publisher.publish('pair.liked', 15, rebinding.id);
    await until('public at first', () => rebinding.device.received.length === 1);
    await publisher.publish('pair.liked', 16, rebinding.id);
    await settled();
    expect([forbidden.device.requests(), rebinding.device.requests()]).toEqual([0, 1]);
    const text =
      (await service.context.metrics.registry.metrics()) + (await other.context.metrics.registry.metrics());
    expect(text).toMatch(/push_messages_total\{outcome="refused"/);
  });

  it('is not sent to push ids of older apps, which are recorded and removed', async () => {
    const id = member();
    const post = (body: object) => call('post', id, body);
    expect((await post({ push_id: 'APA91b-x_y:z' })).body).toEqual({ push_ids: ['APA91b-x_y:z'], types: [] });
    expect((await post({ push_id: 'second', endpoint: '' })).status).toBe(403);
    const device = pushService.device();
    expect((await post({ ...device.subscription, push_id: '' })).body.push_ids).toEqual([
      'APA91b-x_y:z',
      'subscribed',
    ]);
    const refused = ['two words', 'x'.repeat(1_025), 'ü', 7, ['a']].map((push_id) => ({ push_id }));
    for (const body of [...refused, {}, { ...device.subscription, push_id: 'a' }, { push_id: '' }]) {
      expect([(await post(body)).status, body]).toEqual([403, body]);
    }
    const unclear = [{ push_id: '' }, { endpoint: '' }, { endpoint: 'https://push.example/a', push_id: 'b' }];
    for (const body of unclear) expect((await call('delete', id, body)).status).toBe(403);
    expect((await call('delete', id, { push_id: 'APA91b-x_y:z' })).body).toEqual({
      push_ids: ['subscribed'],
    });
    expect((await call('delete', id)).body).toEqual({ push_ids: [] });
  });

  it('stops after DELETE, for one device or for all', async () => {
    const { id, device } = await subscribed();
    const second = pushService.device();
    await subscribe(id, second);
    const one = await call('delete', id, { endpoint: device.subscription.endpoint });
    expect([one.status, one.body]).toEqual([200, { push_ids: ['subscribed'] }]);
    await publisher.publish('pair.liked', 17, id);
    await until('the other one receives it', () => second.received.length === 1);
    const all = await call('delete', id);
    expect([all.status, all.body]).toEqual([200, { push_ids: [] }]);
    await publisher.publish('pair.liked', 18, id);
    await settled();
    expect([device.requests(), second.requests()]).toEqual([0, 1]);
  });

  it('returns the key that browsers subscribe with', async () => {
    const { body } = await call('get', member());
    expect(body).toEqual({
      public_key: vapid.VAPID_PUBLIC_KEY,
      types: ['message', 'like', 'mutual', 'match', 'view', 'moderation', 'membership'],
    });
  });

  it('accepts forms and JSON, and keys with or without padding', async () => {
    const { subscription } = pushService.device();
    const answer = await request(service.url)
      .post('/webpush')
      .set('Authorization', await tokens.authorization({ id: member() }))
      .type('form')
      .send({
        endpoint: subscription.endpoint,
        'keys[p256dh]': `${subscription.keys.p256dh}=`,
        'keys[auth]': subscription.keys.auth,
        types: 'like,message',
      });
    expect([answer.status, answer.body]).toEqual([
      200,
      { push_ids: ['subscribed'], types: ['message', 'like'] },
    ]);
  });

  it.each([
    ['no endpoint', { endpoint: undefined }],
    ['an empty endpoint', { endpoint: '' }],
    ['an endpoint that is no address', { endpoint: 'https://' }],
    ['http', { endpoint: 'http://push.test/x' }],
    ['credentials', { endpoint: 'https://user:word@push.test/x' }],
    ['an endless endpoint', { endpoint: `https://push.test/${'x'.repeat(2_048)}` }],
    ['no keys', { keys: undefined }],
    [
      'a key that is no point',
      { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'A'.repeat(22) } },
    ],
    ['a short secret', { keys: { p256dh: vapid.VAPID_PUBLIC_KEY, auth: 'AAAA' } }],
    ['an unknown kind', { types: ['gossip'] }],
    ['no kind', { types: [] }],
  ])('refuses %s with 403 without code', async (_case, change) => {
    const answer = await call('post', member(), { ...pushService.device().subscription, ...change });
    expect([answer.status, answer.body]).toEqual([403, { fail: 'Invalid Argument' }]);
  });

  it('answers 401 without a token or member, 403 when deactivated, 503 without profile', async () => {
    const { status } = await request(service.url).post('/webpush');
    expect(status).toBe(401);
    const device = pushService.device().subscription;
    const cases = [
      [{ status: 403, body: { fail: 'Deactivated' } }, 403],
      [{ status: 404, body: { fail: 'Not Found' } }, 401],
      [{ status: 500, body: {} }, 503],
    ] as const;
    for (const [refusal, expected] of cases) {
      const id = member();
      profile.refused.set(id, refusal);
      expect((await call('post', id, device)).status).toBe(expected);
    }
  });

  it('answers 404 without VAPID keys', async () => {
    const plain = await startService('push-off', { tokens });
    const authorization = await tokens.authorization({ id: 1 });
    const { status } = await request(plain.url).get('/webpush').set('Authorization', authorization);
    expect(status).toBe(404);
    await plain.close();
  });
});
