import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestMember } from '../../support/people.ts';
import { destination, formOf } from '../../support/browser.ts';

interface Pair {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

describe('sign-in by the hosted page', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('signin');
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  const exchange = (code: string, overrides: Record<string, string> = {}) =>
    auth.token({ ...auth.client, grant_type: 'authorization_code', code, ...overrides });
  const codeFor = async (who = member) => {
    const end = await auth.browser().signIn(auth.client, who);
    return end.searchParams.get('code') ?? '';
  };

  it('redirects from POST /authorize through the form to a code with the state unchanged', async () => {
    const state = 'a b&c=d/ü"%20';
    const end = await auth.browser().signIn(auth.client, member, { state, platform: 'app_ios' });
    expect(end.origin + end.pathname).toBe('https://app.example/callback');
    expect(end.searchParams.get('state')).toBe(state);
    const code = end.searchParams.get('code') ?? '';
    expect(decodeProtectedHeader(code)).toMatchObject({ alg: 'ES256', typ: 'code+jwt' });
    const { iat = 0, exp = 0 } = decodeJwt(code);
    expect(exp - iat).toBe(10);
  });

  it('issues exactly the documented token pair, signed with a key of /jwks', async () => {
    const answer = await exchange(await codeFor()).expect(200);
    const pair = answer.body as Pair;
    expect(pair).toMatchObject({ expires_in: 1800, token_type: 'Bearer' });
    expect(Object.keys(pair)).toHaveLength(4);
    expect(answer.get('Cache-Control')).toBe('no-store');
    const jwks = (await request(auth.server).get('/jwks').expect(200)).body as JSONWebKeySet;
    const keys = createLocalJWKSet(jwks);
    const access = await jwtVerify(pair.access_token, keys, {
      issuer: 'http://auth.test',
      audience: 'http://api.test',
      typ: 'at+jwt',
      algorithms: ['ES256'],
    });
    expect(access.payload).toMatchObject({
      sub: member.member_id,
      mid: member.id,
      site: 1,
      client_id: auth.client.client_id,
      scope: 'member',
    });
    expect((access.payload.exp ?? 0) - (access.payload.iat ?? 0)).toBe(1800);
    const refresh = await jwtVerify(pair.refresh_token, keys, { typ: 'refresh+jwt' });
    expect((refresh.payload.exp ?? 0) - (refresh.payload.iat ?? 0)).toBe(14 * 86_400 + 1800);
    expect(JSON.stringify(jwks)).not.toContain('"d"');
  });

  it('accepts the email address in any case, and JSON on both endpoints', async () => {
    const browser = auth.browser();
    const { client_id, redirect_uri } = auth.client;
    const start = await request(auth.server)
      .post('/authorize')
      .send({ client_id, redirect_uri, response_type: 'code', siteid: 1 })
      .expect(303);
    const page = await browser.open(start.get('Location') ?? '');
    const end = destination(
      await browser.submit(page, { login: member.email.toUpperCase(), password: member.password }),
    );
    const answer = await request(auth.server)
      .post('/token')
      .send({ ...auth.client, grant_type: 'authorization_code', code: end.searchParams.get('code') })
      .expect(200);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 1800 });
  });

  it('accepts client credentials by HTTP Basic', async () => {
    const { client_id, client_secret, redirect_uri } = auth.client;
    const answer = await request(auth.server)
      .post('/token')
      .auth(client_id, client_secret)
      .type('form')
      .send({ grant_type: 'authorization_code', redirect_uri, code: await codeFor() })
      .expect(200);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 1800 });
  });

  it('skips the form for a second request of the same browser, unless prompt=login is sent', async () => {
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    const again = destination(await browser.begin(auth.client, { siteid: '1' }));
    expect(again.searchParams.get('code')).toBeTruthy();
    const forced = await browser.begin(auth.client, { prompt: 'login' });
    expect(formOf(forced).fields).toHaveProperty('password');
  });

  it('asks for credentials when the session is of another site, and switches accounts directly', async () => {
    const other = await auth.addMember({ siteid: 2, username: member.username });
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    const end = await browser.signIn(auth.client, other, { siteid: '2' });
    const answer = await exchange(end.searchParams.get('code') ?? '').expect(200);
    expect(decodeJwt((answer.body as Pair).access_token)).toMatchObject({ sub: other.member_id, site: 2 });
  });

  it('completes two concurrent sign-ins of one browser with different members', async () => {
    const other = await auth.addMember();
    const browser = auth.browser();
    const open = async () => browser.begin(auth.client, { siteid: '1' });
    for (const [page, who] of [[await open(), member] as const, [await open(), other] as const]) {
      const end = await browser.submit(page, { login: who.username, password: who.password });
      const answer = await exchange(destination(end).searchParams.get('code') ?? '').expect(200);
      expect(decodeJwt((answer.body as Pair).access_token).sub).toBe(who.member_id);
    }
  });

  describe('errors', () => {
    it('shows a page and does not redirect for an unknown client or redirect_uri', async () => {
      const { client_id, redirect_uri } = auth.client;
      const good = { client_id, redirect_uri, response_type: 'code' };
      const bad = [
        { ...good, client_id: '1f6f2fb0-0000-4000-8000-000000000000' },
        { ...good, redirect_uri: 'https://evil.example/callback' },
        { ...good, redirect_uri: `${redirect_uri}/` },
        { ...good, redirect_uri: `${redirect_uri}?x=1` },
        { client_id, response_type: 'code' },
      ];
      for (const parameters of bad) {
        const answer = await request(auth.server).get('/authorize').query(parameters);
        expect({ parameters, status: answer.status }).toEqual({ parameters, status: 400 });
        expect(answer.get('Location')).toBeUndefined();
        expect(answer.get('Content-Type')).toContain('text/html');
        expect(answer.get('Content-Security-Policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
        expect(answer.get('X-Frame-Options')).toBe('DENY');
      }
    });

    it.each([
      ['response_type', { response_type: 'token' }, 'unsupported_response_type'],
      ['response_type that is missing', { response_type: '' }, 'invalid_request'],
      ['siteid unknown', { siteid: '4711' }, 'invalid_request'],
      ['siteid no number', { siteid: '1 or 1' }, 'invalid_request'],
    ])('reports an invalid %s to redirect_uri with the state', async (_name, parameters, error) => {
      const end = destination(await auth.browser().begin(auth.client, { state: 's1', ...parameters }));
      expect(end.origin).toBe('https://app.example');
      expect(end.searchParams.get('error')).toBe(error);
      expect(end.searchParams.get('state')).toBe('s1');
    });

    it('answers wrong secrets and unknown clients on /token with 401 invalid_client and a challenge', async () => {
      const code = await codeFor();
      const answers = [
        await exchange(code, { client_secret: 'x'.repeat(43) }),
        await exchange(code, { client_id: 'nobody' }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(401);
        expect(answer.body).toMatchObject({ error: 'invalid_client' });
        expect(answer.get('WWW-Authenticate')).toBe('Bearer realm="covalence"');
      }
      await exchange(code).expect(200);
    });

    it('rejects a code with another redirect_uri, of another client, or with a changed envelope', async () => {
      const other = await auth.createClient();
      const code = await codeFor();
      const [head = '', body = '', signature = ''] = code.split('.');
      const { jti } = decodeJwt(code);
      const forged = [head, Buffer.from(JSON.stringify({ jti, iss: 'x' })).toString('base64url'), signature];
      const answers = [
        await exchange(code, { redirect_uri: 'https://app.example/other' }),
        await exchange(code, { ...other }),
        await exchange(forged.join('.')),
        await exchange(jti ?? ''),
        await exchange([head, body, `${signature.slice(0, -4)}AAAA`].join('.')),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ error: 'invalid_grant' });
      }
      await exchange(code).expect(200);
    });

    it('answers 405 to other methods and 400 to malformed bodies, with a request id', async () => {
      const get = await request(auth.server).get('/token').set('X-Request-Id', 'abc-1').expect(405);
      expect(get.get('Allow')).toBe('POST');
      expect(get.get('X-Request-Id')).toBe('abc-1');
      const junk = await request(auth.server).post('/token').type('json').send('{"grant').expect(400);
      expect(junk.body).toEqual({ fail: 'Bad Request' });
      const nested = await request(auth.server)
        .post('/token')
        .send({ code: { $ne: '' } })
        .expect(400);
      expect(nested.get('X-Request-Id')).toMatch(/^[\w-]{36}$/);
      const page = await request(auth.server).get('/login/unknown').expect(400);
      expect(page.get('Content-Type')).toContain('text/html');
    });

    it('ignores unknown parameters, nested or not', async () => {
      const end = await auth.browser().signIn(auth.client, member);
      const pair = await request(auth.server)
        .post('/token')
        .send({
          ...auth.client,
          grant_type: 'authorization_code',
          code: end.searchParams.get('code'),
          device: { model: 'phone', build: [1, 2] },
          tags: ['a', 'b'],
        })
        .expect(200);
      const { refresh_token } = pair.body as { refresh_token: string };
      const form = { ...auth.client, grant_type: 'refresh_token', refresh_token, 'device[model]': 'phone' };
      expect((await auth.token(form)).status).toBe(200);
    });
  });

  describe('the form', () => {
    it('is plain HTML with labels, a strict CSP, the requested locale and the site color', async () => {
      const page = await auth.browser().begin(auth.client, { siteid: '1', locale: 'de_DE' });
      expect(page.status).toBe(200);
      expect(page.text).toContain('<html lang="de-DE">');
      expect(page.text).toContain('Heartland Singles');
      expect(page.text).toMatch(/<input type="text" id="login" name="login"/);
      expect(page.text).toMatch(/<input type="password" id="password" name="password"/);
      for (const id of ['login', 'password']) expect(page.text).toMatch(RegExp(`<label for="${id}">[^<]+<`));
      const policy = page.get('Content-Security-Policy') ?? '';
      const script = /<script type="module">([^]*?)<\/script>/.exec(page.text)?.[1] ?? '';
      const hash = createHash('sha256').update(script).digest('base64');
      expect(policy).toContain(`; script-src 'sha256-${hash}'; form-action`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("form-action 'self' https://app.example");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(page.get('X-Frame-Options')).toBe('DENY');
      expect(page.get('Referrer-Policy')).toBe('same-origin');
      expect(page.get('Cache-Control')).toBe('no-store');
      expect(Buffer.byteLength(page.text)).toBeLessThan(50_000);
    });

    it('shows a message after a wrong password and keeps the login, HTML-escaped', async () => {
      const browser = auth.browser();
      const page = await browser.begin(auth.client, { siteid: '1' });
      const again = await browser.submit(page, { login: '"><b>x', password: 'wrong' });
      expect(again.status).toBe(200);
      expect(again.text).toContain('role="alert"');
      expect(again.text).toContain('value="&quot;&gt;&lt;b&gt;x"');
      expect(again.text).not.toContain('<b>x');
      const end = destination(
        await browser.submit(again, { login: member.username, password: member.password }),
      );
      expect(end.searchParams.get('code')).toBeTruthy();
    });

    it('rejects a form without its CSRF token or from another browser', async () => {
      const browser = auth.browser();
      const page = await browser.begin(auth.client, { siteid: '1' });
      const credentials = { login: member.username, password: member.password };
      const forged = await browser.submit(page, { ...credentials, csrf: 'A'.repeat(43) });
      expect(forged.status).toBe(403);
      const { action, fields } = formOf(page);
      const stranger = await request(auth.server)
        .post(action)
        .type('form')
        .send({ ...fields, ...credentials });
      expect(stranger.status).toBe(400);
      expect(stranger.get('Location')).toBeUndefined();
    });

    it('asks for the site when the credentials are correct on several', async () => {
      const shared = { username: 'twosites', password: 'violet-harbour-43' };
      const first = await auth.addMember({ ...shared, email: 'two@mail.example' });
      const second = await auth.addMember({ ...shared, email: 'two@mail.example', siteid: 2 });
      const browser = auth.browser();
      const page = await browser.begin(auth.client);
      const choice = await browser.submit(page, { login: 'TwoSites', password: shared.password });
      expect(choice.text).toContain('Heartland Singles');
      expect(choice.text).toContain('Harbor Dates');
      const end = destination(await browser.submit(choice, { site: '2' }));
      const answer = await exchange(end.searchParams.get('code') ?? '').expect(200);
      expect(decodeJwt((answer.body as Pair).access_token).sub).toBe(second.member_id);
      expect(first.member_id).not.toBe(second.member_id);
    });

    it('asks a deactivated member for the credentials twice, then reactivates', async () => {
      const sleeper = await auth.addMember();
      const state = auth.profile.members.get(sleeper.member_id);
      if (state) state.deactivated = true;
      const browser = auth.browser();
      const entry = { login: sleeper.username, password: sleeper.password };
      const page = await browser.begin(auth.client, { siteid: '1' });
      const again = await browser.submit(page, entry);
      expect(again.status).toBe(200);
      expect(formOf(again).fields).toHaveProperty('proof');
      expect(state?.deactivated).toBe(true);
      const mistaken = await browser.submit(again, { ...entry, password: 'wrong' });
      expect(state?.deactivated).toBe(true);
      const end = destination(await browser.submit(mistaken, entry));
      expect(state?.deactivated).toBe(false);
      await exchange(end.searchParams.get('code') ?? '').expect(200);
    });

    it('asks for credentials twice also with a session, and refuses suspended members', async () => {
      const sleeper = await auth.addMember();
      const state = auth.profile.members.get(sleeper.member_id);
      const browser = auth.browser();
      await browser.signIn(auth.client, sleeper);
      if (state) state.deactivated = true;
      const page = await browser.begin(auth.client, { siteid: '1' });
      expect(formOf(page).fields).toHaveProperty('password');
      if (state) Object.assign(state, { deactivated: false, suspended: true });
      const refused = await browser.submit(page, { login: sleeper.username, password: sleeper.password });
      expect(refused.status).toBe(403);
      expect(refused.get('Location')).toBeUndefined();
    });
  });

  it('signs staff in on the same page, with scope staff; members and staff do not mix', async () => {
    const staffClient = await auth.createClient({ staff: true });
    const credentials = { username: 'moderator', password: 'violet-harbour-44' };
    await auth.internal('/internal/staff/create', { ...credentials, roles: {} }).expect(200);
    await auth.internal('/internal/staff/create', { ...credentials, roles: {} }).expect(403, {
      fail: 'Invalid Argument',
      failcode: [10101],
    });
    const browser = auth.browser();
    const page = await browser.begin(staffClient, { siteid: '1' });
    const asMember = await browser.submit(page, { login: member.username, password: member.password });
    expect(asMember.text).toContain('role="alert"');
    const end = destination(
      await browser.submit(asMember, { login: credentials.username, password: credentials.password }),
    );
    const answer = await auth
      .token({ ...staffClient, grant_type: 'authorization_code', code: end.searchParams.get('code') ?? '' })
      .expect(200);
    const claims = decodeJwt((answer.body as Pair).access_token);
    expect(claims).toMatchObject({ scope: 'staff' });
    expect(claims).not.toHaveProperty('mid');
    // The staff session does not open the members' client.
    expect(formOf(await browser.begin(auth.client)).fields).toHaveProperty('password');
  });
});
