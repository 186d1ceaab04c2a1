import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unavailable } from '@covalence/contract/failure';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

const away = () => Promise.reject(unavailable(new Error('connection refused')));

describe('signing out of the browser', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('signout');
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  it('asks first and then ends the session, while tokens of apps stay valid', async () => {
    const browser = auth.browser();
    const end = await browser.signIn(auth.client, member);
    const code = end.searchParams.get('code') ?? '';
    const pair = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    const page = await browser.open('/session/end');
    expect(page.text).toContain('Sign out');
    expect(page.get('Content-Security-Policy')).toContain("default-src 'none'");
    // Asking alone ends nothing.
    expect(destination(await browser.begin(auth.client)).searchParams.get('code')).toBeTruthy();
    const asked = await browser.open('/session/end');
    expect(formOf(asked).action).toBe('/session/end/confirm?siteid=1');
    const done = await browser.submit(asked, { logout: 'yes' });
    expect(done.text).toContain('You are signed out');
    expect(formOf(await browser.begin(auth.client)).fields).toHaveProperty('password');
    const { refresh_token } = pair.body as { refresh_token: string };
    await auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token }).expect(200);
  });

  it('leads back to the app, or to the account, whoever stays signed in', async () => {
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    expect((await browser.open('/session/end')).text).toContain('href="/account?siteid=1">Stay signed in');
    const back = 'https://app.example/signed-out';
    const { client_id } = await auth.createClient({ post_logout_redirect_uris: [back] });
    const query = new URLSearchParams({ client_id, post_logout_redirect_uri: back, state: 'a b' });
    const asked = await browser.open(`/session/end?${query.toString()}`);
    expect(asked.text).toContain(`href="${back}?state=a+b">Stay signed in`);
    query.set('post_logout_redirect_uri', 'https://elsewhere.example/');
    const refused = await browser.open(`/session/end?${query.toString()}`);
    expect(refused.text).toContain('Error: invalid_request, post_logout_redirect_uri not registered');
    expect(destination(await browser.begin(auth.client)).searchParams.get('code')).toBeTruthy();
  });

  it('accepts the request as a POST form and shows the question', async () => {
    const asked = await request(auth.server)
      .post('/session/end')
      .type('form')
      .send({ state: 'a b' })
      .expect(303);
    expect(asked.get('Location')).toBe('/session/end?state=a+b');
    await request(auth.server).post('/session/end').expect(303);
  });

  const looks: [string, number, string, string, string][] = [
    ["the session's site", 2, '', 'Harbor Dates', 'hue-2'],
    ['the site that the request names', 2, '?siteid=1&locale=de_DE', 'Heartland Singles', 'hue-1'],
    [
      "the session's site where the request names none that is there",
      2,
      '?siteid=99',
      'Harbor Dates',
      'hue-2',
    ],
  ];
  it.each(looks)('has the look of %s on every page', async (_of, siteid, query, title, hue) => {
    const browser = auth.browser();
    await browser.signIn(auth.client, await auth.addMember({ siteid }));
    const asked = await browser.open(`/session/end${query}`);
    const done = await browser.submit(asked, { logout: 'yes' });
    for (const page of [asked, done]) {
      expect(page.status).toBe(200);
      expect(page.text).toContain(`<body class="${hue}">`);
      expect(page.text).toContain(`${title}</title>`);
      expect(page.text).toContain(query.includes('de_DE') ? 'lang="de-DE"' : 'lang="en-US"');
    }
  });

  it('redirects to the last page with site and locale when nobody is signed in', async () => {
    const asked = await request(auth.server).get('/session/end?siteid=2&locale=de_DE&state=x').expect(303);
    expect(asked.get('Location')).toBe('/session/end/success?siteid=2&locale=de_DE');
    expect(asked.text).toBe('');
    expect(asked.get('Set-Cookie')).toBeUndefined();
    const done = await auth.browser().open('/session/end?siteid=2&locale=de_DE');
    expect(done.text).toContain('<body class="hue-2">');
    expect(done.text).toContain('lang="de-DE"');
  });

  it('is shown without site and locale while the account cannot be read', async () => {
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    const { accounts } = auth.context;
    const original = { ...accounts };
    accounts.find = () => Promise.reject(new Error('connection refused'));
    const asked = await browser.open('/session/end');
    Object.assign(accounts, original);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('Covalence</title>');
  });

  it('uses the language of the member on every page when the request names none', async () => {
    const german = await auth.addMember();
    const accounts = auth.context.connection.collection('accounts');
    await accounts.updateOne({ username: german.username }, { $set: { locale: 'de_DE' } });
    const browser = auth.browser();
    await browser.signIn(auth.client, german);
    expect((await browser.open('/session/end?locale=fr_FR')).text).toContain('lang="fr-FR"');
    const asked = await browser.open('/session/end');
    expect(asked.text).toContain('lang="de-DE"');
    expect((await browser.submit(asked, { logout: 'yes' })).text).toContain('Du bist abgemeldet');
  });

  it.each(['yes', 'everywhere'])('shows an error page while a store is down: %s', async (logout) => {
    const browser = auth.browser();
    await browser.signIn(auth.client, await auth.addMember());
    const asked = await browser.open('/session/end');
    const { accounts, tokens } = auth.context;
    const originals = [{ ...accounts }, { ...tokens.sessions }] as const;
    Object.assign(accounts, { setSignedOut: away });
    Object.assign(tokens.sessions, logout === 'yes' && { find: away });
    const answer = await browser.submit(asked, { logout });
    Object.assign(accounts, originals[0]);
    Object.assign(tokens.sessions, originals[1]);
    expect(answer.status).toBe(503);
    expect(answer.get('Retry-After')).toBeTruthy();
    expect(answer.get('Content-Type')).toContain('text/html');
    expect(answer.text).toContain('This is not available right now');
    expect((await browser.submit(asked, { logout })).text).toContain('You are signed out');
  });

  it('rejects a sign-out without its CSRF token', async () => {
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    const asked = await browser.open('/session/end');
    const forged = await browser.submit(asked, { logout: 'yes', xsrf: 'guessed' });
    expect(forged.status).toBe(400);
    expect(destination(await browser.begin(auth.client)).searchParams.get('code')).toBeTruthy();
  });
});
