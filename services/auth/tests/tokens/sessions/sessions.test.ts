import { redisKeys } from '@covalence/contract/redis-keys';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, type Browser } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Session {
  readonly id: string;
  readonly device_name: string | null;
  readonly since: string;
  readonly last_used: string;
  readonly until: string;
  readonly current: boolean;
}

const hour = 3_600_000;

const bearer = ({ access_token }: Pair) => `Bearer ${access_token}`;
const sessionOf = ({ access_token }: Pair) => String(decodeJwt(access_token)['family']);

describe('the sessions of a member', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('sessions');
  });
  afterAll(() => auth.close());

  const exchange = async (code: string): Promise<Pair> =>
    (await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200)).body as Pair;
  const pairFor = async (
    browser: Browser,
    member: TestMember,
    parameters: Record<string, string> = {},
  ): Promise<Pair> =>
    exchange((await browser.signIn(auth.client, member, parameters)).searchParams.get('code') ?? '');
  const refresh = ({ refresh_token }: Pair) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
  const list = async (pair: Pair) =>
    (await request(auth.server).get('/sessions').set('Authorization', bearer(pair)).expect(200)).body as {
      sessions: Session[];
    };
  const end = (id: string, pair: Pair) =>
    request(auth.server).delete(`/sessions/${id}`).set('Authorization', bearer(pair));
  const isRefused = async (pair: Pair) =>
    (await auth.context.redis.get(
      redisKeys.ended(auth.context.config.NAMESPACE, 'family', sessionOf(pair)),
    )) !== null;

  it('are listed with app, platform, device and times, last used first, and nobody else’s', async () => {
    const member = await auth.addMember();
    const phone = await pairFor(auth.browser(), member, { platform: 'app_ios', device_name: 'Ada’s iPhone' });
    const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';
    const laptop = await pairFor(auth.browser(undefined, firefox), member);
    await pairFor(auth.browser(), await auth.addMember());
    // Never exchanged: no app is signed in by it.
    await auth.browser().signIn(auth.client, member);
    const used = await auth.later(hour, async () => (await refresh(phone).expect(200)).body as Pair);
    const { sessions } = await list(laptop);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const common = { client: 'Test app', client_id: auth.client.client_id, since: time, last_used: time };
    expect(sessions).toEqual([
      {
        ...common,
        id: sessionOf(used),
        platform: 'app_ios',
        device_name: 'Ada’s iPhone',
        browser: null,
        until: time,
        current: false,
      },
      {
        ...common,
        id: sessionOf(laptop),
        platform: null,
        device_name: null,
        browser: 'Firefox, macOS',
        until: time,
        current: true,
      },
    ]);
    const [first, second] = sessions;
    expect(Date.parse(first?.last_used ?? '') - Date.parse(second?.last_used ?? '')).toBeGreaterThan(
      hour / 2,
    );
    expect(Date.parse(first?.since ?? '')).toBeLessThanOrEqual(Date.parse(second?.since ?? ''));
  });

  it('say when they end unless they are used, and are not listed after that', async () => {
    const member = await auth.addMember();
    const mine = await pairFor(auth.browser(), member);
    const strict = await auth.createClient({ refresh_lifetime_seconds: hour / 1000 });
    const end = await auth.browser().signIn(strict, member);
    const code = end.searchParams.get('code') ?? '';
    await auth.token({ ...strict, grant_type: 'authorization_code', code }).expect(200);
    const hours = (from: string, to: string) =>
      Number(((Date.parse(to) - Date.parse(from)) / hour).toFixed(1));
    const lifetimes = async () =>
      (await list(mine)).sessions.map(({ until, last_used }) => hours(last_used, until));
    expect(await lifetimes()).toEqual([1, 14 * 24 + 0.5]);
    expect(await auth.later(2 * hour, lifetimes)).toHaveLength(1);
    const { client_id } = strict;
    await auth
      .internal('/internal/clients/settings', { client_id, refresh_lifetime_seconds: 60 })
      .expect(200);
    expect(await auth.later(120_000, lifetimes)).toHaveLength(1);
  });

  it('of public clients say the end that these have by default', async () => {
    const member = await auth.addMember();
    const mine = await pairFor(auth.browser(), member);
    const { member_id: account_id } = member;
    const { body } = await auth
      .internal('/internal/clients/create', {
        name: 'Browser app',
        redirect_uris: ['https://app.example/callback'],
        public: true,
      })
      .expect(200);
    const families = auth.context.connection.collection('families');
    const begun_at = new Date(Date.now() - 360 * 24 * hour);
    const { client_id } = body as { client_id: string };
    // As before public clients had this end: the refresh token lasts longer.
    const grant = JSON.stringify({ clientId: client_id });
    await families.updateMany({ account_id }, { $set: { begun_at, grant } });
    const [{ since, until } = { since: '', until: '' }] = (await list(mine)).sessions;
    expect(Date.parse(until) - Date.parse(since)).toBe(365 * 24 * hour);
  });

  it.each([
    ['control and direction characters', 'Ada\u0000\u202E\n  iPhone\u200F', 'Ada iPhone'],
    ['more than 64 characters', '📱'.repeat(70), '📱'.repeat(64)],
    ['invisible characters only', '\u200B\u2060 ', null],
  ])('have no %s in the name of a device', async (_what, device_name, shown) => {
    const member = await auth.addMember();
    const { sessions } = await list(await pairFor(auth.browser(), member, { device_name }));
    expect(sessions.map((session) => session.device_name)).toEqual([shown]);
  });

  it('name the device of a registration', async () => {
    const { member_id } = await auth.addMember();
    const { body } = await auth
      .internal('/internal/codes', {
        member_id,
        client_id: auth.client.client_id,
        platform: 'app_android',
        device_name: 'Pixel 9',
      })
      .expect(200);
    const { sessions } = await list(await exchange((body as { code: string }).code));
    expect(sessions).toMatchObject([{ platform: 'app_android', device_name: 'Pixel 9', current: true }]);
  });

  it('end one by one: tokens, refreshes and the browser that would sign in again', async () => {
    const member = await auth.addMember();
    const lost = auth.browser();
    const [onLost, mine] = [await pairFor(lost, member), await pairFor(auth.browser(), member)];
    // The browser of the lost phone would give an app new tokens without a question.
    expect((await lost.begin(auth.client)).get('Location')).toBeDefined();
    await end(sessionOf(onLost), mine).expect(200, {});
    expect([await isRefused(onLost), await isRefused(mine)]).toEqual([true, false]);
    await refresh(onLost).expect(400);
    expect((await lost.begin(auth.client)).get('Location')).toBeUndefined();
    expect((await list(mine)).sessions.map(({ id }) => id)).toEqual([sessionOf(mine)]);
    // Idempotent, and the member's other sign-in goes on.
    await end(sessionOf(onLost), mine).expect(200, {});
    await refresh(mine).expect(200);
  });

  it.each(['stores its session again', 'is signed in by a Redis that lost its end'])(
    'end also for a browser that %s',
    async (how) => {
      const member = await auth.addMember();
      const lost = auth.browser();
      const [onLost, mine] = [await pairFor(lost, member), await pairFor(auth.browser(), member)];
      const code = destination(await lost.begin(auth.client)).searchParams.get('code') ?? '';
      const { families, sessions } = auth.context.tokens;
      const uid = (await families.find(sessionOf(onLost)))?.browser ?? '';
      const id = (await sessions.find('SessionUid', uid))?.payload ?? '';
      const { payload = '' } = (await sessions.find('Session', id)) ?? {};
      await end(sessionOf(onLost), mine).expect(200);
      // As the provider does at the end of each request, or a replica that takes over without the last writes.
      await sessions.save([{ kind: 'Session', id, payload }], 60, member.member_id);
      if (how.includes('Redis')) {
        await sessions.remove('EndedSession', uid);
        await auth.runJobs();
      }
      const silent = await lost.begin(auth.client, { prompt: 'none' });
      expect(destination(silent).searchParams.get('error')).toBe('login_required');
      const late = await auth.token({ ...auth.client, grant_type: 'authorization_code', code });
      expect([late.status, late.body]).toMatchObject([400, { error: 'invalid_grant' }]);
    },
  );

  it('are forgotten when their code was never exchanged, and the list ends at 100', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const mine = await pairFor(browser, member);
    const { families } = auth.context.tokens;
    const abandoned = destination(await browser.begin(auth.client)).searchParams.get('code');
    expect(abandoned).toBeTruthy();
    const used = await families.find(sessionOf(mine));
    if (!used) throw new Error('no family');
    const count = () =>
      auth.context.connection.collection('families').countDocuments({ account_id: member.member_id });
    expect(await count()).toBe(2);
    await auth.later(11 * 60_000, () => auth.runJobs());
    expect(await count()).toBe(1);
    await refresh(mine).expect(200);
    const at = (index: number) => new Date(used.begun_at.getTime() - index * 1_000);
    for (let index = 1; index <= 110; index += 1)
      await families.begin({ ...used, _id: `${used._id}${index}`, checked_at: at(index) });
    const { sessions } = await list(mine);
    expect(sessions.map(({ id }) => id)).toEqual([
      used._id,
      ...Array.from({ length: 99 }, (_one, index) => `${used._id}${index + 1}`),
    ]);
  });

  it('do not keep "Continue as" of a phone whose sign-in was ended', async () => {
    const member = await auth.addMember();
    const client = await auth.createClient({ public: true, redirect_uri: 'com.example.app:/back' });
    const pkce = {
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    };
    const phone = auth.browser();
    const end1 = await phone.submit(await phone.begin(client, pkce), {
      login: member.email,
      password: member.password,
    });
    const { body } = await auth
      .token({
        client_id: client.client_id,
        redirect_uri: client.redirect_uri,
        grant_type: 'authorization_code',
        code: destination(end1).searchParams.get('code') ?? '',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      })
      .expect(200);
    expect((await phone.begin(client, pkce)).text).toContain(`Continue as ${member.username}`);
    await end(sessionOf(body as Pair), await pairFor(auth.browser(), member)).expect(200);
    expect((await phone.begin(client, pkce)).text).not.toContain('Continue as');
  });

  it('of others are unknown, as is an id that never was', async () => {
    const [member, other] = [await auth.addMember(), await auth.addMember()];
    const [mine, theirs] = [await pairFor(auth.browser(), member), await pairFor(auth.browser(), other)];
    const answers = await Promise.all([end(sessionOf(theirs), mine), end('never-was', mine)]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0].body).toEqual(answers[1].body);
    await refresh(theirs).expect(200);
  });

  it('of the own are safe from a stolen token of an older sign-in, which may end itself only', async () => {
    const member = await auth.addMember();
    const owner = await pairFor(auth.browser(), member);
    const stolen = await auth.later(-hour, () => pairFor(auth.browser(), member));
    const fresh = (await refresh(stolen).expect(200)).body as Pair;
    const refused = await end(sessionOf(owner), fresh).expect(401);
    expect(refused.get('WWW-Authenticate')).toContain('insufficient_user_authentication');
    // No hint whether an id exists, either.
    await end('never-was', fresh).expect(401);
    await refresh(owner).expect(200);
    await end(sessionOf(fresh), fresh).expect(200);
    expect(await isRefused(fresh)).toBe(true);
  });

  it('end at once while profile is silent, and their push messages as soon as it answers', async () => {
    const { context, profile } = auth;
    const pair = await pairFor(auth.browser(), await auth.addMember());
    const silence = Promise.withResolvers<void>();
    const { endPush } = context.profile;
    Object.assign(context.profile, {
      endPush: async (input: Parameters<typeof endPush>[0]) => {
        await silence.promise;
        return endPush(input);
      },
    });
    const { client_id, client_secret } = auth.client;
    const form = { token: pair.refresh_token, client_id, client_secret };
    await request(auth.server).post('/revoke').type('form').send(form).expect(200);
    expect([await isRefused(pair), profile.pushEnded.includes(sessionOf(pair))]).toEqual([true, false]);
    silence.resolve();
    await context.afterResponse.drained();
    expect(profile.pushEnded).toContain(sessionOf(pair));
    Object.assign(context.profile, { endPush });
  });

  it('stop push messages of all of them in one round, and ask for none that no app has used', async () => {
    const { context, profile } = auth;
    const families = context.connection.collection<{ _id: string }>('families');
    const at = new Date();
    const dates = { account_id: 'many', grant: '{}', begun_at: at, revoked_at: at, push_due: true };
    const many = Array.from({ length: 201 }, (_none, index) => {
      const subject = { id: 7, siteid: 1, staff: false };
      return { _id: `many-${index}`, ...dates, subject, expires_at: at };
    });
    await families.insertMany(many);
    await auth.browser().signIn(auth.client, await auth.addMember());
    const unused = await families.findOne({ subject: { $exists: false } });
    await context.tokens.families.revoke(unused?._id ?? '', at);
    await auth.later(hour, () => auth.runJobs());
    expect(profile.pushEnded.filter((one) => one.startsWith('many-'))).toHaveLength(201);
    expect(await families.countDocuments({ push_due: true })).toBe(0);
    expect(profile.pushEnded).not.toContain(unused?._id);
  });

  it('stop push messages with every way to end, also when profile is back later', async () => {
    const { profile, context } = auth;
    profile.pushEnded.length = 0;
    const member = await auth.addMember();
    const [first, second] = [await pairFor(auth.browser(), member), await pairFor(auth.browser(), member)];
    const third = await pairFor(auth.browser(), member);
    await end(sessionOf(first), third).expect(200);
    await context.afterResponse.drained();
    expect(profile.pushEnded).toEqual([sessionOf(first)]);
    profile.away = true;
    await request(auth.server).post('/session/everywhere').set('Authorization', bearer(third)).expect(200);
    await context.afterResponse.drained();
    profile.away = false;
    expect(profile.pushEnded).toEqual([sessionOf(first)]);
    // An ended sign-in is kept until then, however late that is.
    await auth.later(hour, () => auth.runJobs());
    const inLaterRound = new Set(profile.pushEnded.slice(1));
    for (const one of [first, second, third]) expect(inLaterRound).toContain(sessionOf(one));
    const { length } = profile.pushEnded;
    await auth.later(hour, () => auth.runJobs());
    expect(profile.pushEnded).toHaveLength(length);
    expect(await context.tokens.families.find(sessionOf(second))).toBeUndefined();
  });
});
