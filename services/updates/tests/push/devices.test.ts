import { testApps } from '@covalence/fakes/push-apps';
import type { TestCaller } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request, { type Response } from 'supertest';
import { readPushApps } from '../../src/push/push-apps.ts';
import { connectMember } from '../harness.ts';
import { createVapid, startPushSystem, type PushProcess, type PushSystem } from '../push-harness.ts';

const apple = { platform: 'ios', app: testApps.ios };
const google = { platform: 'android', app: testApps.android };
const hex = 'a1'.repeat(32);
const firebase = 'dPzq2:APA91bF-x_y'.padEnd(60, 'z');

describe('devices with an installed app', () => {
  const vapid = createVapid();
  let system: PushSystem;
  let process: PushProcess;
  beforeAll(async () => {
    system = await startPushSystem('push-devices');
    process = await system.start(vapid);
  });
  afterAll(() => system.close());

  const post = (id: number, body: object, token?: object) => system.call(process, 'post', id, body, token);

  it('register with kinds, language and capabilities, and are removed one by one or all', async () => {
    const id = system.member();
    const given = {
      ...apple,
      token: hex.toUpperCase(),
      environment: 'sandbox',
      locale: 'tr_TR',
      capabilities: ['badge'],
      types: ['message', 'view'],
    };
    const answer = await post(id, given, { family: 'phone' });
    expect([answer.status, answer.body]).toEqual([
      200,
      { push_ids: ['subscribed'], types: ['message', 'view'] },
    ]);
    expect(system.profile.targets.get(id)?.devices).toEqual([
      {
        endpoint: `apns:${testApps.ios}/sandbox/${hex}`,
        types: ['message', 'view'],
        locale: 'tr_TR',
        capabilities: ['badge'],
        family: 'phone',
        added_at: expect.any(String),
      },
    ]);
    expect((await post(id, { ...google, token: firebase })).body.types).toEqual([
      'message',
      'like',
      'mutual',
      'match',
    ]);
    const remove = (body: object) => system.call(process, 'delete', id, body);
    expect((await remove({ ...google, token: firebase })).body).toEqual({ push_ids: ['subscribed'] });
    expect(system.devicesOf(id)).toBe(1);
    expect((await remove({})).body).toEqual({ push_ids: [] });
  });

  it.each([
    ['an app that the operator does not have', { ...apple, app: 'other' }],
    ['an app of the other system', { ...apple, app: testApps.android }],
    ['a token of Apple that is not hexadecimal', { ...apple, token: 'g1'.repeat(32) }],
    ['a token of Apple that is too short', { ...apple, token: 'a1'.repeat(31) }],
    ['a token of Apple that is too long', { ...apple, token: 'a1'.repeat(101) }],
    ['a token that names another path', { ...apple, token: `${hex}/../../x` }],
    ['a token of Firebase with a space', { ...google, token: `${firebase} x` }],
    ['a token of Firebase that is too long', { ...google, token: 'x'.repeat(1_025) }],
    ['a sandbox of Google', { ...google, token: firebase, environment: 'sandbox' }],
    ['an unknown environment', { ...apple, environment: 'staging' }],
    ['an unknown system', { ...apple, platform: 'windows' }],
    ['an unknown kind', { ...apple, types: ['security'] }],
    ['no kind', { ...apple, types: [] }],
    ['an unknown capability', { ...apple, capabilities: ['siren'] }],
    ['a language that is none', { ...apple, locale: 'de_DE; x' }],
    ['a token that is a list', { ...apple, token: [hex] }],
  ])('are refused with %s', async (_case, body) => {
    const id = system.member();
    const answer = await post(id, { token: hex, ...body });
    expect([answer.status, answer.body.fail]).toEqual([403, 'Invalid Argument']);
    expect(system.devicesOf(id)).toBe(0);
  });

  it('are removed by name after the app has left the list', async () => {
    const id = system.member();
    const endpoint = `apns:retired-ios/production/${hex}`;
    const target = { id, title: 'Heartland', locale: 'en_US', devices: [], muted: [] };
    const device = { endpoint, types: ['like' as const], added_at: new Date().toISOString() };
    system.profile.targets.set(id, { ...target, devices: [device] });
    const answer = await system.call(process, 'delete', id, { ...apple, app: 'retired-ios', token: hex });
    expect([answer.status, answer.body]).toEqual([200, { push_ids: [] }]);
    expect(system.devicesOf(id)).toBe(0);
  });

  it('are refused for members of a site that the app is not for, and without a part of the address', async () => {
    expect((await post(system.member(), { ...apple, token: hex }, { siteid: 2 })).status).toBe(403);
    const partial = await system.call(process, 'delete', system.member(), { platform: 'ios', token: hex });
    expect(partial.status).toBe(403);
  });

  it('of other sign-ins stay, however a token of an older sign-in asks for them', async () => {
    const id = system.member();
    const stolen = { id, family: 'stolen', signedInAgo: 601 };
    const call = async (
      [method, path, body]: (typeof attempts)[number],
      caller: TestCaller = stolen,
    ): Promise<Response> => {
      const agent = request(process.url);
      const started = method === 'post' ? agent.post(path) : agent.delete(path);
      return started.set('Authorization', await system.tokens.authorization(caller)).send(body);
    };
    const browser = {
      endpoint: 'https://push.example/a',
      keys: { p256dh: vapid.VAPID_PUBLIC_KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
    };
    const attempts = [
      ['post', '/devices', { ...google, token: firebase }],
      ['delete', '/devices', { ...google, token: firebase }],
      ['delete', '/devices', {}],
      ['post', '/webpush', browser],
      ['delete', '/webpush', { endpoint: browser.endpoint }],
      ['delete', '/webpush', {}],
    ] as const;
    for (const attempt of attempts) {
      system.profile.refused.set(id, { status: 409, body: { fail: 'Recent Sign-In Required' } });
      const { status, body: answer, headers } = await call(attempt);
      expect([status, answer]).toEqual([401, { fail: 'Recent Sign-In Required' }]);
      expect(headers['www-authenticate']).toMatch(/insufficient_user_authentication.*max_age="600"$/);
      system.profile.refused.delete(id);
      expect((await call(attempt)).status).toBe(200);
      expect(system.profile.askedBy.at(-1)).toEqual({ id, family: 'stolen', recent_sign_in: false });
      await call(attempt, { ...stolen, signedInAgo: 590 });
      expect(system.profile.askedBy.at(-1)).toEqual({ id, family: 'stolen', recent_sign_in: true });
    }
  });

  it('receive only what no open socket took', async () => {
    const { id, device } = await system.onApple(process);
    const socket = await connectMember(process, system.tokens, id);
    await system.publisher.publish('pair.liked', 1, id);
    await socket.waitFor('like');
    socket.socket.close();
    await until('closed', () => process.context.sockets.registry.of(id).length === 0);
    await system.publisher.publish('pair.liked', 2, id);
    await until('it came', () => device.received.length > 0);
    await system.settled(process);
    expect(device.received.map(({ payload }) => payload['data'])).toEqual([{ profileid: 2 }]);
  });
});

describe('the list of apps', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'push-apps-'));
    await writeFile(join(folder, 'bad.p8'), 'secret that is no key');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const app = {
    id: 'heartland-ios',
    sites: [1],
    platform: 'ios',
    bundle_id: 'example.heartland',
    team_id: 'TEAM123456',
    key_id: 'KEY1234567',
    key_file: 'bad.p8',
  };

  it.each([
    ['a key that is none, without showing it', [app], /^bad\.p8: (?!.*secret)/],
    ['a key file that is missing', [{ ...app, key_file: 'none.p8' }], /ENOENT/],
    ['an address without https', [{ ...app, url: 'http://push.example' }], /https/],
    ['an id with a slash', [{ ...app, id: 'a/b' }], /id/],
    ['a setting that does not exist', [{ ...app, topic: 'x' }], /topic/],
    ['no site', [{ ...app, sites: [] }], /sites/],
  ])('is refused with %s', async (_case, list, problem) => {
    const file = join(folder, 'apps.json');
    await writeFile(file, JSON.stringify(list));
    expect(() => readPushApps(file)).toThrow(problem);
  });
});
