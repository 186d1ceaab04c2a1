import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allUp } from '@covalence/testing/all-up';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { v7 } from 'uuid';
import { startService, type ServiceUnderTest } from './harness.ts';
import type { TestMember } from './support/people.ts';
import { destination, formOf } from './support/browser.ts';

describe('while a store is down', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  let redis: TcpProxy;
  let mongo: TcpProxy;
  beforeAll(async () => {
    const { REDIS_URL, MONGODB_URL } = testStores();
    [redis, mongo] = await Promise.all([createTcpProxy(REDIS_URL), createTcpProxy(MONGODB_URL)]);
    auth = await startService('away', { environment: { REDIS_URL: redis.url, MONGODB_URL: mongo.url } });
    member = await auth.addMember();
  });
  afterAll(async () => {
    await auth.close();
    await Promise.all([redis.close(), mongo.close()]);
  });

  const ready = () => until('all stores reached', () => allUp(auth.context.health));
  const signIn = async () => {
    const end = await auth.browser().signIn(auth.client, member);
    const code = end.searchParams.get('code') ?? '';
    const pair = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return (pair.body as { refresh_token: string }).refresh_token;
  };
  const refresh = (refresh_token: string) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });

  it('Redis: sign-in shows a page with 503, refresh works, and sign-in recovers', async () => {
    const token = await signIn();
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    redis.cut();
    const { client_id, redirect_uri } = auth.client;
    const start = await request(auth.server)
      .get('/authorize')
      .query({ client_id, redirect_uri, response_type: 'code' });
    expect(start.status).toBe(503);
    expect(start.get('Retry-After')).toBeTruthy();
    expect(start.get('Content-Type')).toContain('text/html');
    expect(start.text).not.toMatch(/redis|ECONN/i);
    expect((await browser.open(formOf(page).action)).status).toBe(503);
    const pair = await refresh(token).expect(200);
    // A service that is not ready is called by nobody in a cluster.
    expect(await auth.context.health.report()).toMatchObject({ ready: true, checks: { redis: 'down' } });
    redis.restore();
    await ready();
    await refresh((pair.body as { refresh_token: string }).refresh_token).expect(200);
    await signIn();
  });

  it('Redis: a registration fails before it claims names', async () => {
    const names = { siteid: 1, username: 'latecomer', email: 'latecomer@mail.example' };
    const reserve = () => {
      const ids = { member_id: v7(), id: 700 };
      const password = { password: 'violet-harbour-42', password_minimum: 8 };
      return auth.internal('/internal/accounts/reserve', { ...ids, ...names, ...password });
    };
    redis.cut();
    await until('Redis is missed', async () => !(await allUp(auth.context.health)));
    const away = await reserve();
    expect([away.status, away.get('Retry-After')]).toEqual([503, '2']);
    redis.restore();
    await ready();
    // A repeated request finds the names free.
    await reserve().expect(200);
  });

  it('profile: sign-in shows a page with 503 and a link to the form, and recovers', async () => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1', locale: 'de_DE' });
    const entry = { login: member.username, password: member.password };
    auth.profile.away = true;
    const away = await browser.submit(page, entry);
    auth.profile.away = false;
    expect(away.status).toBe(503);
    expect(away.get('Retry-After')).toBeTruthy();
    // As the form looked, with a way back to it.
    expect(away.text).toContain('<html lang="de-DE">');
    expect(away.text).toContain('<header class="bar">Heartland Singles</header>');
    expect(away.text).toContain(`<a href="${formOf(page).action}">Zurück zur Anmeldung</a>`);
    expect(destination(await browser.submit(page, entry)).searchParams.get('code')).toBeTruthy();
  });

  it.each(['profile', 'MongoDB'])(
    '%s: a code that was not exchanged for it is exchanged a moment later',
    async (what) => {
      const { families } = auth.context.tokens;
      const original = { ...families };
      const end = await auth.browser().signIn(auth.client, member);
      const code = end.searchParams.get('code') ?? '';
      const exchange = () => auth.token({ ...auth.client, grant_type: 'authorization_code', code });
      if (what === 'profile') auth.profile.away = true;
      else families.issue = () => Promise.reject(new Error('the database is down'));
      const away = await exchange();
      Object.assign(families, original);
      auth.profile.away = false;
      expect(away.status).toBe(what === 'profile' ? 503 : 500);
      expect(away.body).toHaveProperty(
        'error',
        what === 'profile' ? 'temporarily_unavailable' : 'server_error',
      );
      const pair = await exchange().expect(200);
      await exchange().expect(400);
      // It is used now: what it gave is over.
      await refresh((pair.body as { refresh_token: string }).refresh_token).expect(400);
    },
  );

  it('MongoDB: tokens, pages and internal calls answer 503 and recover', async () => {
    const token = await signIn();
    const person = auth.browser();
    const form = await person.begin(auth.client, { siteid: '1' });
    mongo.cut();
    const [exchange, start, internal] = await Promise.all([
      refresh(token),
      person.submit(form, { login: member.username, password: member.password }),
      auth.internal('/internal/accounts/emails', { member_id: member.member_id }),
    ]);
    expect(exchange.status).toBe(503);
    expect(exchange.body).toMatchObject({ error: 'temporarily_unavailable', fail: 'Service Unavailable' });
    expect(start.status).toBe(503);
    expect(internal.status).toBe(503);
    expect(internal.body).toEqual({ fail: 'Service Unavailable' });
    for (const answer of [exchange, start, internal]) {
      expect(answer.get('Retry-After')).toBeTruthy();
      expect(answer.get('X-Request-Id')).toBeTruthy();
    }
    expect(await auth.context.health.report()).toMatchObject({ ready: false });
    mongo.restore();
    await ready();
    await refresh(token).expect(200);
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    const end = await browser.submit(page, { login: member.username, password: member.password });
    expect(destination(end).searchParams.get('code')).toBeTruthy();
  });
});
