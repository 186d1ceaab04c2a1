import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

describe('formats of OAuth requests', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('requests');
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  const parametersOf = (twice: readonly [string, string][]) => {
    const { client_id, client_secret, redirect_uri } = auth.client;
    const once = { client_id, client_secret, redirect_uri, response_type: 'code', state: 's1' };
    return new URLSearchParams([...Object.entries(once), ...twice]).toString();
  };

  it('gives the provider forms as it reads them, so that it warns of nothing', async () => {
    const warn = jest.spyOn(console, 'warn');
    for (const form of [{ token: 'none' }, { token: ['none', 'other'] }]) {
      const { status } = await request(auth.server)
        .post('/revoke')
        .send({ ...auth.client, ...form });
      expect(status).toBe(Array.isArray(form.token) ? 400 : 200);
    }
    expect(warn).not.toHaveBeenCalled();
  });

  it.each(['get', 'post'] as const)(
    'gives no code to a script with the session of the browser (%s)',
    async (method) => {
      const parameters = parametersOf([['siteid', '1']]);
      const by = async (destination: string) => {
        const path = `/authorize?${parameters}`;
        const { status } = await request(auth.server)[method](path).set('Sec-Fetch-Dest', destination);
        return status;
      };
      expect([await by('empty'), await by('document')]).toEqual([403, 303]);
    },
  );

  it.each(['get', 'post'] as const)(
    'reports a repeated parameter to the app at %s /authorize',
    async (by) => {
      const parameters = parametersOf([
        ['siteid', '1'],
        ['siteid', '2'],
      ]);
      const asked =
        by === 'get'
          ? request(auth.server).get(`/authorize?${parameters}`)
          : request(auth.server).post('/authorize').type('form').send(parameters).redirects(1);
      const end = destination(await asked.ok(() => true));
      expect(end.origin + end.pathname).toBe('https://app.example/callback');
      expect(end.searchParams.get('error')).toBe('invalid_request');
      expect(end.searchParams.get('state')).toBe('s1');
    },
  );

  it.each([
    ['/token', 'grant_type=refresh_token&refresh_token=a&refresh_token=b'],
    ['/revoke', 'token=a&token=b'],
    ['/token', 'client_secret=x&grant_type=refresh_token&refresh_token=a'],
  ])('answers a repeated parameter with an OAuth error at %s (%s)', async (path, form) => {
    const answer = await request(auth.server)
      .post(path)
      .type('form')
      .send(`${parametersOf([])}&${form}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('twice') as unknown,
    });
  });

  const refused = { grant_type: 'refresh_token', refresh_token: 'unknown' };
  it.each([
    ['/token', refused, [400, 'invalid_grant', 'Invalid Grant']],
    ['/token', { ...refused, client_secret: 'wrong' }, [401, 'invalid_client', 'Invalid Client']],
    ['/token', { grant_type: 'password' }, [400, 'unsupported_grant_type', 'Unsupported Grant Type']],
    ['/token', {}, [400, 'invalid_request', 'Invalid Request']],
    ['/revoke', { token: 'x', client_secret: 'wrong' }, [401, 'invalid_client', 'Invalid Client']],
    ['/revoke', {}, [400, 'invalid_request', 'Invalid Request']],
  ] as const)('answers an error with `error` and `fail` at %s (%j)', async (path, form, expected) => {
    const { client_id, client_secret } = auth.client;
    // The second one is what the HTTP client of Java sends by default.
    for (const accepted of ['*/*', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'text/html']) {
      const answer = await request(auth.server)
        .post(path)
        .set('Accept', accepted)
        .type('form')
        .send({ client_id, client_secret, ...form });
      const { error, fail } = answer.body as Record<string, unknown>;
      expect([answer.status, error, fail]).toEqual(expected);
      expect(answer.get('Content-Type')).toContain('application/json');
    }
  });

  it('answers a program with `error` and `fail` at /session/end, where a browser gets a page', async () => {
    const invalid = '/session/end?id_token_hint=x';
    const forProgram = await request(auth.server).get(invalid).expect(400);
    expect(forProgram.body).toMatchObject({ error: 'invalid_request', fail: 'Invalid Request' });
    const page = await request(auth.server).get(invalid).set('Accept', 'text/html').expect(400);
    expect(page.text).toContain('<html lang');
  });

  it('ignores secrets and codes in the query string at /token and /revoke', async () => {
    const end = await auth.browser().signIn(auth.client, member);
    const code = end.searchParams.get('code') ?? '';
    const { client_id, client_secret, redirect_uri } = auth.client;
    const form = { client_id, client_secret, redirect_uri, grant_type: 'authorization_code', code };
    const post = (path: string, query: Record<string, string>, body: Record<string, string>) =>
      request(auth.server)
        .post(`${path}?${new URLSearchParams(query).toString()}`)
        .type('form')
        .send(body);
    expect((await post('/token', { client_secret }, { ...form, client_secret: '' })).status).toBe(401);
    expect((await post('/token', { code }, { ...form, code: '' })).status).toBe(400);
    expect((await post('/token', form, {})).status).toBe(400);
    const given = await post('/token', { client_secret: 'wrong', grant_type: 'refresh_token' }, form);
    expect(given.status).toBe(200);
    const { refresh_token } = given.body as { refresh_token: string };
    const token = { token: refresh_token };
    expect((await post('/revoke', { client_secret }, { ...token, client_id })).status).toBe(401);
    expect((await post('/revoke', token, { client_id, client_secret })).status).toBe(400);
    const refresh = { client_id, client_secret, refresh_token, grant_type: 'refresh_token' };
    expect((await auth.token(refresh)).status).toBe(200);
  });

  it.each(['/authorize', '/session/end'])('removes secrets from the redirect of POST %s', async (path) => {
    const { client_id, client_secret, redirect_uri } = auth.client;
    const secrets = { client_secret, password: 'violet-harbour-42', 'Code-Verifier': 'v'.repeat(43) };
    const form = { client_id, redirect_uri, response_type: 'code', state: 's1', ...secrets };
    const answer = await request(auth.server).post(path).type('form').send(form).expect(303);
    const { searchParams } = new URL(answer.get('Location') ?? '', 'http://auth.test');
    expect([...searchParams.keys()].sort()).toEqual(['client_id', 'redirect_uri', 'response_type', 'state']);
  });

  it.each([
    ['code', 400],
    ['grant_type', 400],
    ['redirect_uri', 400],
    ['client_id', 400],
    ['client_secret', 401],
  ])('issues no tokens without %s, and does not use up the code', async (name, status) => {
    const end = await auth.browser().signIn(auth.client, member);
    const code = end.searchParams.get('code') ?? '';
    const form = { ...auth.client, grant_type: 'authorization_code', code };
    expect((await auth.token({ ...form, [name]: '' })).status).toBe(status);
    expect((await auth.token(form)).status).toBe(200);
  });

  it('ignores maps', async () => {
    const { client_id, client_secret } = auth.client;
    const form = { client_id, client_secret, grant_type: 'refresh_token', refresh_token: { $ne: '' } };
    const answer = await request(auth.server).post('/token').send(form).expect(400);
    expect(answer.body).toEqual({
      error: 'invalid_request',
      error_description: "missing required parameter 'refresh_token'",
      fail: 'Invalid Request',
    });
  });

  it('accepts parameter names in any case, with - or _, with GET and POST', async () => {
    const { client_id, redirect_uri } = auth.client;
    const query = { CLIENT_ID: client_id, 'redirect-uri': redirect_uri, Response_Type: 'code', siteId: '2' };
    const page = await auth.browser().open(`/authorize?${new URLSearchParams(query).toString()}`);
    expect(formOf(page).fields).toHaveProperty('password');
    expect(page.text).toContain('Harbor Dates');
    const signedOut = await auth.browser().open('/session/end?siteId=2&LOCALE=de_DE');
    expect(signedOut.text).toContain('<html lang="de-DE">');
    expect(signedOut.text).toContain('Harbor Dates');
  });

  it('explains that cookies may be blocked when a sign-in comes without them', async () => {
    const { client_id, redirect_uri } = auth.client;
    const parameters = { client_id, redirect_uri, response_type: 'code' };
    const begun = await request(auth.server).get('/authorize').query(parameters).expect(303);
    const page = await request(auth.server)
      .get(begun.get('Location') ?? '')
      .expect(400);
    expect(page.text).toContain('this browser blocks cookies');
  });

  it.each(['/authorize/unknown', '/authorize', '/session/end/success', '/session/end'])(
    'shows a page without a known member in the language of the browser, at %s',
    async (path) => {
      const answer = await request(auth.server)
        .get(path)
        .set({ Accept: 'text/html', 'Accept-Language': 'de-AT,de;q=0.9' })
        .redirects(1);
      expect(answer.text).toContain('<html lang="de-DE">');
    },
  );

  it('treats a login or password of any length as wrong', async () => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    const { username: login, password } = member;
    for (const entry of [
      { login, password: 'x'.repeat(8_000) },
      { login: 'x'.repeat(8_000), password },
    ]) {
      const answer = await browser.submit(page, entry);
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('do not match');
    }
  });
});
