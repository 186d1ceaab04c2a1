import { beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '@covalence/client/api';
import { accountUrl, beginSignIn, finishSignIn, signOutUrl } from '@covalence/client/sign-in';
import type { System } from '../support/system.ts';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { createAppOn, followOn, type App } from '../support/app.ts';
import { as, male, registerMember, registration } from '../support/members.ts';
import { signIn, tokensFor } from '../support/sign-in.ts';
import { openSocket } from '../support/socket.ts';

interface Person extends App {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

/** The main journey, written with the client package as in an app. */
export function journeyCases(system: () => System): void {
  describe('the main journey, through the gateway only', () => {
    let stack: System;
    let nora: Person;
    let tom: Person;

    const registered = async (overrides: Record<string, unknown>): Promise<Person> => {
      const app = createAppOn(stack.url, stack.demo);
      const parameters = registration(stack.demo, overrides);
      const { data } = await app.client.POST('/members', {
        // The parameters of the helper are untyped because it also sends invalid ones.
        body: parameters as components['schemas']['RegisterMemberRequest'],
      });
      if (!data) throw new Error('not registered');
      await app.session.exchange({ code: data.code, redirectUri: stack.demo.redirect_uri });
      const { username, password } = parameters;
      return { ...app, id: data.id, username: String(username), password: String(password) };
    };

    const search = async (body: components['schemas']['SearchMembersRequest']) => {
      const { data } = await nora.client.POST('/searches', { body });
      return data?.users ?? [];
    };

    const ask = (etag = '') => request(stack.url).get('/questions?siteid=1').set('If-None-Match', etag);

    beforeAll(() => {
      stack = system();
    });

    it('lists the fields, and answers 304 to a known ETag', async () => {
      const { body, headers } = await ask().expect(200);
      expect(headers).toMatchObject({
        etag: expect.stringMatching(/^"/),
        'cache-control': 'private, no-cache',
      });
      const smoking = (body.questions as { name: string; values?: { value: unknown }[] }[]).find(
        ({ name }) => name === 'smoking',
      );
      expect(smoking?.values?.map(({ value }) => value)).toEqual([10, 20, 30, 40]);
      const again = await ask(headers['etag']).expect(304);
      expect(again.text).toBe('');
      expect(again.headers['etag']).toBe(headers['etag']);
      await ask('"another"').expect(200);
    });

    it.each([
      [{ zip: '78701' }, { city: 'Austin', state: 'Texas', latitude: expect.closeTo(30.27, 1) }],
      [{ city: 'Boston' }, { state: 'Massachusetts', longitude: expect.closeTo(-71.06, 1) }],
      [
        { country: undefined, latitude: 48.137, longitude: 11.575 },
        { city: 'Munich', state: 'Bavaria', country: 'DE' },
      ],
    ])('completes the place of a registration with %j', async (given, expected) => {
      const nowhere = {
        city: undefined,
        state: undefined,
        zip: undefined,
        latitude: undefined,
        longitude: undefined,
      };
      const { record } = await registerMember(stack.url, stack.demo, { ...nowhere, ...given });
      expect(record).toMatchObject(expected);
    });

    it('registers two members; each code gives tokens and the own record', async () => {
      nora = await registered({ smoking: 10, height: 168 });
      tom = await registered({
        ...male,
        dateofbirth: '09/02/1988',
        latitude: 40.9,
        longitude: -96.7,
        smoking: 20,
        height: 182,
      });
      const tokens = await nora.session.tokens();
      expect(Object.keys(tokens ?? {}).sort()).toEqual(['access_token', 'expires_at', 'refresh_token']);
      expect((tokens?.expires_at ?? 0) - Date.now()).toBeLessThanOrEqual(1_800_000);
      expect((tokens?.expires_at ?? 0) - Date.now()).toBeGreaterThan(1_700_000);
      const self = await tom.client.GET('/users/{profileid}', { params: { path: { profileid: 'self' } } });
      expect(self.data).toMatchObject({
        id: tom.id,
        username: tom.username,
        gender: 'Male',
        userstatus: 'approved',
        email: expect.stringContaining('@mail.example'),
      });
    });

    it('signs in on the hosted pages with PKCE, and refuses the code without the verifier', async () => {
      const { client_id, redirect_uri } = stack.demo;
      const begin = () =>
        beginSignIn({ authUrl: stack.url, clientId: client_id, redirectUri: redirect_uri, siteid: 1 });
      const begun = await begin();
      const backFrom = async (url: string) => {
        const parameters = Object.fromEntries(new URL(url).searchParams);
        return `${redirect_uri}?${await signIn(stack.url, stack.demo, nora, parameters)}`;
      };
      const device = createAppOn(stack.url, stack.demo);
      await finishSignIn(device.session, begun, await backFrom(begun.url));
      const self = await device.client.GET('/users/{profileid}', { params: { path: { profileid: 'self' } } });
      expect(self.data?.id).toBe(nora.id);

      const stolen = await begin();
      const { verifier } = await begin();
      await expect(
        finishSignIn(device.session, { ...stolen, verifier }, await backFrom(stolen.url)),
      ).rejects.toThrow('invalid_grant');
    });

    it('opens the hosted pages by the addresses of the client package', async () => {
      const { client_id, redirect_uri } = stack.demo;
      const app = { authUrl: stack.url, clientId: client_id, redirectUri: redirect_uri, siteid: 1 };
      const leadsTo = async (url: string | URL, cookie = '') => {
        const { headers } = await fetch(url, { redirect: 'manual', headers: { cookie } });
        const cookies = headers.getSetCookie().map((one) => one.split(';')[0]);
        return { to: new URL(headers.get('location') ?? '', stack.url), cookie: cookies.join('; ') };
      };
      const login = await leadsTo((await beginSignIn({ ...app, prompt: 'create' })).url);
      expect((await leadsTo(login.to, login.cookie)).to.pathname).toMatch(/\/register$/);
      const silent = await beginSignIn({ ...app, prompt: 'none' });
      const { href: back } = (await leadsTo(silent.url)).to;
      const { session } = createAppOn(stack.url, stack.demo);
      await expect(finishSignIn(session, silent, back)).rejects.toThrow('login_required');
      expect((await leadsTo(accountUrl(app))).to.searchParams.get('siteid')).toBe('1');
      expect((await fetch(signOutUrl(app))).status).toBe(200);
    });

    it('returns the state unchanged, and only the fields of a token pair', async () => {
      const state = 'a/b c+d&e=f';
      const back = await signIn(stack.url, stack.demo, nora, { siteid: '1', state });
      expect(back.get('state')).toBe(state);
      expect(await tokensFor(stack.url, stack.demo, back.get('code') ?? '')).toEqual({
        access_token: expect.any(String),
        refresh_token: expect.any(String),
        expires_in: 1800,
        token_type: 'Bearer',
      });
    });

    it('refreshes once for concurrent refused calls, and continues', async () => {
      const before = await nora.session.tokens();
      if (!before) throw new Error('nobody is signed in');
      await nora.storage.write({ ...before, access_token: `${before.access_token}x` });
      let changes = 0;
      const forget = nora.session.onChange(() => (changes += 1));
      const calls = Array.from({ length: 8 }, () => nora.client.GET('/photo'));
      expect((await Promise.all(calls)).map(({ response }) => response.status)).toEqual(calls.map(() => 200));
      forget();
      expect(changes).toBe(1);
      expect((await nora.session.tokens())?.refresh_token).not.toBe(before.refresh_token);
    });

    it('finds the matching members with distance, relevance and exactmatch', async () => {
      const found = await until('tom in the results', async () =>
        (await search({ age: { from: 30, to: 45 }, smoking: { values: [10, 20] } })).find(
          ({ id }) => id === tom.id,
        ),
      );
      expect(found).toMatchObject({ relevance: 1, exactmatch: true, distance: expect.any(Number) });
      // 8 miles to a displaced position.
      expect(Math.abs(Number(found.distance) - 8)).toBeLessThanOrEqual(4);

      const near = await search({
        age: { from: 30, to: 45 },
        smoking: { value: 30 },
        height: { from: 175, to: 190 },
      });
      const partly = near.find(({ id }) => id === tom.id);
      expect(partly?.exactmatch).toBe(false);
      expect(partly?.relevance).toBeGreaterThan(0);
      expect(partly?.relevance).toBeLessThan(1);

      const younger = await search({ age: { from: 18, to: 25 } });
      expect(younger.map(({ id }) => id)).not.toContain(tom.id);
    });

    it('notifies of likes and connections, counts them, and resumes a disconnected device', async () => {
      const ofNora = await followOn(stack.url, nora);
      const ofTom = await followOn(stack.url, tom);
      const found = async (control: object = {}) => {
        const { data } = await nora.client.POST('/searches', {
          body: { age: { from: 30, to: 45 }, ...control },
        });
        return data?.users.some(({ id }) => id === tom.id);
      };
      expect(await found()).toBe(true);
      await nora.client.POST('/like', { body: { profileid: tom.id } });
      // Her likes count in her next search.
      expect([await found(), await found({ exclude: 'none' })]).toEqual([false, true]);
      const like = await ofTom.next('like');
      expect(like.data).toEqual({ profileid: nora.id });
      ofTom.live.close();

      const counted = await tom.client.POST('/like', { body: { profileid: nora.id } });
      expect(counted.data).toMatchObject({
        connections_since_reset: 1,
        connections_total: 1,
        likedme_total: 0,
      });
      await ofNora.next('mutual');
      const back = await followOn(stack.url, tom, like.id);
      await back.next('mutual');
      expect(back.frames.filter(({ type }) => type === 'like')).toEqual([]);

      const seen = await nora.client.GET('/users/{profileid}', {
        params: { path: { profileid: String(tom.id) } },
      });
      expect(seen.data).toMatchObject({ id: tom.id, covalence: 'mutual' });
      const reset = await nora.client.POST('/members/self/activity/reset/{page}', {
        params: { path: { page: 'connections' } },
      });
      expect(reset.data).toMatchObject({ connections_since_reset: 0, connections_total: 1 });
      ofNora.live.close();
      back.live.close();
    });

    it('notifies at once of a member who joins and fits a saved search', async () => {
      const una = await registerMember(stack.url, stack.demo);
      const saved = { name: 'Tall', age: { from: 30 }, height: { from: 200 }, notify: 'live' };
      const { body: search } = await as(stack.url, una).post('/searches/saved', saved).expect(200);
      expect(search).toEqual({ ...saved, id: search.id });
      const socket = await openSocket(stack.url, una.tokens.access_token);
      const abe = await registerMember(stack.url, stack.demo, { ...male, height: 205 });
      const { data } = await socket.next('match', undefined, 30_000);
      expect(data).toEqual({ profileid: abe.id, searchid: search.id });
      socket.close();
    });

    it('has one trace from the gateway through the event to the live update', async () => {
      const { spans } = stack.collector;
      const like = await until('the like in the traces', () =>
        spans.find(({ service, name }) => service === 'gateway' && name === 'POST /like'),
      );
      expect(like.parentSpanId ?? '').toBe('');
      const ofLike = await until('all of its spans', () => {
        const found = spans.filter(({ traceId }) => traceId === like.traceId);
        const all = ['profile POST /like', 'updates process updates.live', 'updates send /ws/updates'];
        return all.every((wanted) => found.some(({ service, name }) => `${service} ${name}` === wanted))
          ? found
          : undefined;
      });
      const named = (wanted: string) => ofLike.find(({ name, service }) => `${service} ${name}` === wanted);
      const [handled, told] = [named('profile POST /like'), named('updates process updates.live')];
      expect(handled?.parentSpanId).toBe(like.spanId);
      expect(told).toMatchObject({ parentSpanId: handled?.spanId });
      expect(named('updates send /ws/updates')).toMatchObject({ parentSpanId: handled?.spanId });
      const calls = () =>
        spans.filter(
          ({ service, name }) => service === 'profile' && name === 'POST /internal/accounts/reserve',
        );
      const [call, answer] = await until('a call of another service', () =>
        calls()
          .map((one) => [one, spans.find(({ parentSpanId }) => parentSpanId === one.spanId)] as const)
          .find(([, other]) => other),
      );
      expect(call.attributes).toMatchObject({
        'server.address': '127.0.0.1',
        'server.port': expect.any(Number),
        'http.response.status_code': 200,
      });
      const opening = spans.find(({ service, name }) => service === 'gateway' && name === 'GET /ws/updates');
      expect(opening?.attributes).toMatchObject({
        'http.request.method': 'GET',
        'http.route': '/ws/updates',
        'http.response.status_code': 101,
      });
      expect(answer).toMatchObject({ service: 'auth', name: call.name, traceId: call.traceId });
      expect(spans.filter(({ name }) => name.includes(String(tom.id)))).toEqual([]);
      // Spans of drivers contain member ids and complete errors.
      expect(spans.filter(({ scope }) => scope !== 'covalence')).toEqual([]);
    });

    it("sends a push message in the member's language when no socket is open, and none otherwise", async () => {
      const [karl, mia] = await Promise.all([
        registerMember(stack.url, stack.demo, { ...male, locale: 'de_DE' }),
        registerMember(stack.url, stack.demo),
      ]);
      const [ofKarl, ofMia] = [as(stack.url, karl), as(stack.url, mia)];
      const { body: offered } = await ofKarl.get('/webpush').expect(200);
      const device = stack.pushService.device();
      const subscribed = await ofKarl.post('/webpush', device.subscription).expect(200);
      expect(subscribed.body.push_ids).toEqual([karl.record['member_id']]);
      const legacy = { push_ids: ['APA91b-older-app', karl.record['member_id']] };
      const recorded = await ofKarl.post('/webpush/', { push_id: 'APA91b-older-app' }).expect(200);
      expect(recorded.body).toMatchObject(legacy);
      expect((await ofKarl.get('/users/self').expect(200)).body).toMatchObject(legacy);

      await ofMia.post('/like', { profileid: karl.id }).expect(200);
      await until('the push', () => device.received.length === 1);
      const [received] = device.received;
      expect(received?.vapidKey).toBe(offered.public_key);
      expect(received?.message).toMatchObject({
        type: 'like',
        body: 'Jemand mag dich.',
        lang: 'de-DE',
        data: { profileid: mia.id },
      });

      const socket = await openSocket(stack.url, karl.tokens.access_token);
      await ofKarl.post('/like', { profileid: mia.id }).expect(200);
      const { body: taken } = await ofMia
        .post('/messages', { profileid: karl.id, text: 'Hello' })
        .expect(200);
      expect((await socket.next('message')).data).toEqual({ profileid: mia.id, messageid: taken.id });
      socket.close();
      await socket.closed;
      // Messages are pushed in order: once a later one arrived, an earlier one never will.
      await until('a push again', async () => {
        await ofMia.post('/messages', { profileid: karl.id, text: 'Are you there?' }).expect(200);
        return device.received.length > 1;
      });
      const pushed = device.received.map(({ message }) => message['data']);
      expect(pushed).not.toContainEqual(expect.objectContaining({ messageid: taken.id }));
    });

    it('lists packages', async () => {
      const { data } = await nora.client.GET('/packages');
      expect(data?.can_purchase).toBe(true);
      expect(new Set(data?.packages.map(({ days }) => days))).toEqual(new Set([30, 90, 180, 365]));
    });

    it('refuses a deactivated member at once', async () => {
      const done = await tom.client.POST('/members/self', { body: { deactivated: true } });
      expect(done.data).toEqual({});
      const refused = await tom.client.GET('/users/{profileid}', { params: { path: { profileid: 'self' } } });
      expect(refused.response.status).toBe(403);
      expect(refused.error).toEqual({ fail: 'Deactivated' });
    });
  });
}
