import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt } from 'jose';
import { createHash } from 'node:crypto';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsTo } from '../../support/alerts.ts';
import {
  linksOf,
  nativeClientId,
  newPerson,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';
import type { OpenidProvider } from '../../support/openid-provider.ts';
import type { TestClient, TestMember } from '../../support/people.ts';
import { turnOn } from '../../support/second-factor.ts';

const now = () => Math.floor(Date.now() / 1000);

describe('an identity token from the dialog of a phone, and notices of its provider', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  let google: OpenidProvider;
  let app: TestClient;
  beforeAll(async () => {
    providers = await startProviders();
    ({ google } = providers);
    auth = await startService('exchange', { environment: providers.settings });
    app = await auth.createClient({ public: true, redirect_uri: 'com.example.app:/back' });
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });

  /** A member who has linked an account at Google. */
  const linkedMember = async (overrides: Partial<TestMember> = {}, sub = newPerson(google).sub) => {
    const member = await auth.addMember(overrides);
    await storeLink(auth, member, sub);
    return { ...member, sub };
  };
  const newNonce = async () => {
    const { body } = await request(auth.server).post('/identity/nonce').expect(200);
    return (body as { nonce: string }).nonce;
  };
  const tokenOf = (sub: string, nonce: string, changes: object = {}) =>
    google.sign({ sub, nonce, aud: nativeClientId, ...changes });
  const exchange = (subject_token: string, nonce: string, changes: Record<string, string> = {}) =>
    auth.token({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_id: app.client_id,
      subject_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      provider: 'google',
      nonce,
      ...changes,
    });
  const signIn = async (sub: string) => {
    const nonce = await newNonce();
    return exchange(await tokenOf(sub, nonce), nonce);
  };
  const refresh = (refresh_token: string) =>
    auth.token({ grant_type: 'refresh_token', client_id: app.client_id, refresh_token });

  it.each([
    ['as it is', (nonce: string) => nonce],
    ['as its SHA-256 in hexadecimal', (nonce: string) => createHash('sha256').update(nonce).digest('hex')],
  ])('is exchanged for tokens that refresh; the nonce stands in it %s', async (_how, claimOf) => {
    const member = await linkedMember();
    const nonce = await newNonce();
    const device = { platform: 'app_ios', device_name: 'Ada’s iPhone' };
    const { body } = await exchange(await tokenOf(member.sub, claimOf(nonce)), nonce, device).expect(200);
    expect(body).toMatchObject({ issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' });
    expect(decodeJwt((body as { access_token: string }).access_token)).toMatchObject({
      sub: member.member_id,
      client_id: app.client_id,
      scope: 'member',
      amr: ['fed'],
    });
    const listed = await request(auth.server).get('/sessions').auth(body.access_token, { type: 'bearer' });
    expect(listed.body).toMatchObject({ sessions: [device] });
    await refresh((body as { refresh_token: string }).refresh_token).expect(200);
  });

  it('leads a member with two-step sign-in to the hosted page', async () => {
    const { sub, ...member } = await linkedMember();
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    await turnOn(browser);
    const { status, body } = await signIn(sub);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: 'interaction_required', fail: 'Interaction Required' }),
    ]);
  });

  it('works once: neither the token nor its nonce is taken again', async () => {
    const { sub } = await linkedMember();
    const nonce = await newNonce();
    const token = await tokenOf(sub, nonce);
    const [one, other] = await Promise.all([exchange(token, nonce), exchange(token, nonce)]);
    expect(new Set([one.status, other.status])).toEqual(new Set([200, 400]));
    const stranger = await newNonce();
    const { body } = await exchange(token, stranger).expect(400);
    expect(body).toMatchObject({ error: 'invalid_request', fail: 'Invalid Request' });
    const own = 'a nonce that the app made up';
    expect((await exchange(await tokenOf(sub, own), own)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('has a nonce that stores nothing until it is used, and expires', async () => {
    const { sub } = await linkedMember();
    const { redis, config } = auth.context;
    const keys = async () => (await redis.keys(`${config.NAMESPACE}:*`)).sort();
    const before = await keys();
    const nonce = await newNonce();
    expect(await keys()).toEqual(before);
    const token = await tokenOf(sub, nonce);
    await auth.later(16 * 60_000, async () => {
      const times = { iat: now() + 16 * 60, exp: now() + 20 * 60 };
      const { body } = await exchange(await tokenOf(sub, nonce, times), nonce);
      expect(body).toMatchObject({ error_description: 'the nonce is unknown, expired or used' });
    });
    await exchange(token, nonce).expect(200);
  });

  it('counts as a sign-in, and uses the nonce up, once the client has proven who it is', async () => {
    const { sub, member_id } = await linkedMember();
    const nonce = await newNonce();
    const token = await tokenOf(sub, nonce);
    const { client_id, client_secret } = auth.client;
    const record = jest.spyOn(auth.context.security, 'record');
    const signIns = () => record.mock.calls.filter(([name]) => name === 'sign_in').length;
    await exchange(token, nonce, { client_id, client_secret: 'wrong' }).expect(401);
    expect(signIns()).toBe(0);
    await exchange(token, nonce, { client_id, client_secret }).expect(200);
    expect(signIns()).toBe(1);
    expect(record).toHaveBeenLastCalledWith('sign_in', expect.objectContaining({ member: member_id }));
    record.mockRestore();
    expect((await exchange(token, nonce, { client_id, client_secret })).status).toBe(400);
  });

  it('uses nothing up, and writes nothing, before the client has proven who it is', async () => {
    const { sub } = await linkedMember();
    const nonce = await newNonce();
    const token = await tokenOf(sub, nonce);
    const { client_id } = auth.client;
    const families = () => auth.context.connection.collection('families').countDocuments();
    const claim = jest.spyOn(auth.context.tokens.sessions, 'claim');
    const before = await families();
    for (const credentials of [{ client_secret: 'wrong' }, { client_secret: '' }])
      await exchange(token, nonce, { client_id, ...credentials }).expect(401);
    expect([await families(), claim.mock.calls]).toEqual([before, []]);
    claim.mockRestore();
  });

  it('counts as old unless the provider says that it has just asked, or nothing else signs in', async () => {
    const { sub, member_id } = await linkedMember();

    const ageWith = async (changes: object = {}) => {
      const nonce = await newNonce();
      const { body } = await exchange(await tokenOf(sub, nonce, changes), nonce).expect(200);
      return now() - Number(decodeJwt((body as { access_token: string }).access_token)['auth_time']);
    };
    expect(await ageWith()).toBeGreaterThan(600);
    expect(await ageWith({ auth_time: now() - 7_000 })).toBeGreaterThanOrEqual(7_000);
    expect(await ageWith({ auth_time: now() })).toBeLessThan(60);
    expect(await ageWith({ auth_time: now() + 9_000 })).toBeGreaterThanOrEqual(0);
    await auth.context.connection
      .collection<{ _id: string }>('accounts')
      .updateOne({ _id: member_id }, { $unset: { password_hash: 1 } });
    expect(await ageWith()).toBeLessThan(60);
  });

  it.each<[string, object]>([
    ['for another app', { aud: 'com.other.app' }],
    ['for several apps', { aud: [nativeClientId, 'com.other.app'] }],
    ['of another issuer', { iss: 'https://issuer.example' }],
    ['that has expired', { exp: 1_700_000_000 }],
    ['without a subject', { sub: undefined }],
  ])('is refused %s', async (_what, changes) => {
    const { sub } = await linkedMember();
    const nonce = await newNonce();
    const { status, body } = await exchange(await tokenOf(sub, nonce, changes), nonce);
    expect([status, body]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })]);
  });

  it('is refused without a signature, signed with a secret, and by a provider that is away', async () => {
    const { sub } = await linkedMember();
    for (const alg of ['none', 'HS256'] as const) {
      const nonce = await newNonce();
      const token = await google.sign({ sub, nonce, aud: nativeClientId }, { alg });
      expect((await exchange(token, nonce)).body).toMatchObject({ error: 'invalid_request' });
    }
    await auth.later(2 * 60 * 60 * 1000, async () => {
      const nonce = await newNonce();
      const token = await tokenOf(sub, nonce, { iat: now() + 7_200, exp: now() + 7_500 });
      google.state = 'away';
      const { status, body, headers } = await exchange(token, nonce);
      google.state = 'up';
      const away = { error: 'temporarily_unavailable', fail: 'Service Unavailable' };
      expect([status, headers['retry-after'], body]).toMatchObject([503, '2', away]);
      // The nonce is not used up.
      await exchange(token, nonce).expect(200);
    });
  });

  it('takes the client from HTTP Basic, and says how to authenticate', async () => {
    const { sub } = await linkedMember();
    const nonce = await newNonce();
    const token = await tokenOf(sub, nonce);
    const { client_id, client_secret } = auth.client;
    const basic = (id: string) =>
      exchange(token, nonce, { client_id: '' }).auth(encodeURIComponent(id), client_secret);
    const unknown = await basic('0'.repeat(36)).expect(401);
    expect(unknown.headers['www-authenticate']).toMatch(/^Basic realm=/);
    const { body } = await basic(client_id).expect(200);
    expect(decodeJwt((body as { access_token: string }).access_token)).toMatchObject({ client_id });
  });

  it('writes nothing for a nonce that was used, nor marks the link as used', async () => {
    const { sub, member_id } = await linkedMember();
    const nonce = await newNonce();
    const token = await tokenOf(sub, nonce);
    await exchange(token, nonce).expect(200);
    const families = () => auth.context.connection.collection('families').countDocuments();
    const lastUse = async () => (await linksOf(auth, member_id))[0]?.last_used_at;
    const before = [await families(), await lastUse()];
    await auth.later(1_000, () => exchange(token, nonce).expect(400));
    expect([await families(), await lastUse()]).toEqual(before);
  });

  it('leads to the hosted pages when there is more to ask', async () => {
    const stranger = await signIn(newPerson(google).sub);
    expect([stranger.status, stranger.body]).toMatchObject([400, { error: 'interaction_required' }]);
    const member = await linkedMember();
    await linkedMember({ siteid: 2 }, member.sub);
    expect((await signIn(member.sub)).body).toMatchObject({ error: 'interaction_required' });
    const nonce = await newNonce();
    const { body } = await exchange(await tokenOf(member.sub, nonce), nonce, { siteid: '1' }).expect(200);
    expect(decodeJwt((body as { access_token: string }).access_token)).toMatchObject({ site: 1 });
    const state = auth.profile.members.get(member.member_id);
    if (!state) throw new Error('no such member');
    const again = async () => {
      const once = await newNonce();
      return (await exchange(await tokenOf(member.sub, once), once, { siteid: '1' })).body as object;
    };
    state.deactivated = true;
    expect(await again()).toMatchObject({ error: 'interaction_required' });
    state.suspended = true;
    expect(await again()).toMatchObject({ error: 'invalid_grant' });
  });

  it('needs its parameters and the credentials of its client', async () => {
    const { sub } = await linkedMember();
    const nonce = await newNonce();
    const token = await tokenOf(sub, nonce);
    expect((await exchange(token, nonce, { nonce: '' })).body).toEqual({
      error: 'invalid_request',
      error_description: 'nonce is missing or malformed',
      fail: 'Invalid Request',
    });
    expect((await exchange(token, nonce, { provider: 'facebook' })).body).toMatchObject({
      error: 'invalid_grant',
    });
    const { status } = await exchange(token, nonce, { client_id: auth.client.client_id });
    expect(status).toBe(401);
    // A member gets no token of staff, even with the secret of their client.
    const { client_id, client_secret } = await auth.createClient({ staff: true });
    const once = await newNonce();
    const staff = await exchange(await tokenOf(sub, once), once, { client_id, client_secret });
    expect([staff.status, staff.body]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  const notice = async (event: object, changes: object = {}) =>
    request(auth.server)
      .post('/identity/notices/google')
      .send({ payload: await google.sign({ events: JSON.stringify(event), ...changes }) });

  it('a revoked consent ends the link and every sign-in; a forged notice ends nothing', async () => {
    const { sub, ...member } = await linkedMember();
    const { body } = await signIn(sub);
    const event = { type: 'consent-revoked', sub };
    await notice(event, { aud: 'another-client' }).then(({ status }) => expect(status).toBe(403));
    await notice({ type: 'consent-revoked' }).then(({ status }) => expect(status).toBe(403));
    const { body: fresh } = await refresh((body as { refresh_token: string }).refresh_token).expect(200);
    expect((await notice(event)).status).toBe(200);
    expect((await notice(event)).status).toBe(200);
    const alerts = await alertsTo(auth, member);
    expect(alerts.filter((one) => one === 'credential')).toHaveLength(1);
    expect((await auth.mailbox.wait(member.email, 'A way to sign in was removed')).text).toContain('Google');
    await refresh((fresh as { refresh_token: string }).refresh_token).expect(400);
    expect((await signIn(sub)).body).toMatchObject({ error: 'interaction_required' });
    const unknown = await request(auth.server).post('/identity/notices/nobody').send({ payload: 'x' });
    expect(unknown.status).toBe(404);
  });

  it('a notice that the provider repeats after a fault still ends every sign-in', async () => {
    const { sub } = await linkedMember();
    const { body } = await signIn(sub);
    const fault = jest
      .spyOn(auth.context.accounts, 'setSignedOut')
      .mockRejectedValueOnce(new Error('the store is away'));
    const event = { type: 'consent-revoked', sub };
    expect((await notice(event)).status).toBe(500);
    fault.mockRestore();
    expect((await notice(event)).status).toBe(200);
    await refresh((body as { refresh_token: string }).refresh_token).expect(400);
    expect((await signIn(sub)).body).toMatchObject({ error: 'interaction_required' });
  });

  it('a notice is no use of the account: the owner sees when it last signed in', async () => {
    const { sub, email, member_id } = await linkedMember();
    const lastUse = async () => (await linksOf(auth, member_id))[0]?.last_used_at;
    const before = await lastUse();
    await auth.later(60_000, async () => {
      expect((await notice({ type: 'email-disabled', sub, email })).status).toBe(200);
      expect(await lastUse()).toEqual(before);
      expect((await signIn(sub)).status).toBe(200);
      expect(await lastUse()).not.toEqual(before);
    });
  });

  it('a new password by mail removes the link; export and erasure have it', async () => {
    const { sub, email, member_id, id } = await linkedMember();
    const exported = await auth.internal('/internal/members/export', { member_id, id }).expect(200);
    expect(exported.body).toMatchObject({ identities: [{ provider: 'google', email }] });
    const browser = auth.browser();
    await browser.begin(auth.client, { siteid: '1' });
    const page = await browser.begin(auth.client, { siteid: '1' });
    const [, forgotten = ''] = /href="([^"]*\/forgotten)"/.exec(page.text) ?? [];
    await browser.submit(await browser.open(forgotten), { login: email });
    const { path } = await auth.mailbox.wait(email, 'Choose a new password');
    await browser.submit(await browser.open(path), { password: 'orchid-lantern-77' });
    expect((await signIn(sub)).body).toMatchObject({ error: 'interaction_required' });

    const other = await linkedMember();
    const subject = { member_id: other.member_id, id: other.id };
    await auth.internal('/internal/members/erase', subject).expect(200);
    expect(await linksOf(auth, other.member_id)).toEqual([]);
  });
});
