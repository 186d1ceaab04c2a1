import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

const redirect_uri = 'com.example.app:/oauth2redirect';
const post_logout_redirect_uri = 'com.example.app:/signed-out';
const loopback = 'http://127.0.0.1/signed-out';

const random = () => randomBytes(16).toString('base64url');

/** The requests of AppAuth-Android and AppAuth-iOS: AuthorizationRequest, TokenRequest and EndSessionRequest. */
describe('AppAuth', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  let client_id: string;
  beforeAll(async () => {
    auth = await startService('appauth');
    member = await auth.addMember();
    ({ client_id } = await auth.createClient({
      public: true,
      redirect_uri,
      post_logout_redirect_uris: [post_logout_redirect_uri, loopback],
    }));
  });
  afterAll(() => auth.close());

  const authorization = (code_verifier: string, further: Record<string, string> = {}) => ({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid profile offline_access',
    state: random(),
    nonce: random(),
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...further,
  });
  const open = (path: string, parameters: Record<string, string>, browser = auth.browser()) =>
    browser.open(`${path}?${new URLSearchParams(parameters).toString()}`);
  const form = (further: Record<string, string> = {}) => open('/authorize', authorization(random(), further));

  it('signs in, refreshes, and signs out with the way back to the app', async () => {
    const [browser, code_verifier] = [auth.browser(), randomBytes(48).toString('base64url')];
    const sent = authorization(code_verifier, {
      login_hint: member.email,
      ui_locales: 'pt-BR fr',
      siteid: '1',
    });
    const page = await open('/authorize', sent, browser);
    expect(page.text).toContain('<html lang="fr-FR">');
    expect(formOf(page).fields['login']).toBe(member.email);
    const back = destination(await browser.submit(page, { password: member.password }));
    expect([back.protocol + back.pathname, back.searchParams.get('state')]).toEqual([
      redirect_uri,
      sent.state,
    ]);
    const code = back.searchParams.get('code') ?? '';
    const exchange = { client_id, redirect_uri, code, code_verifier, grant_type: 'authorization_code' };
    const { body } = await auth.token(exchange).expect(200);
    const refresh = { client_id, refresh_token: body.refresh_token, grant_type: 'refresh_token' };
    await auth.token(refresh).expect(200);
    const end = { client_id, post_logout_redirect_uri, state: random(), ui_locales: 'fr' };
    const asked = await open('/session/end', end, browser);
    expect(asked.text).toContain('<html lang="fr-FR">');
    expect(asked.get('Content-Security-Policy')).toContain("form-action 'self' com.example.app:;");
    const last = `${post_logout_redirect_uri}?state=${end.state}`;
    expect((await browser.submit(asked, { logout: 'yes' })).get('Location')).toBe(last);
    // Nobody is signed in anymore: the way back is the same.
    expect((await open('/session/end', end, browser)).get('Location')).toBe(last);
  });

  it('returns from a sign-out to registered addresses only; loopback has any port', async () => {
    const at = async (address: string, further: Record<string, string> = { client_id }) =>
      request(auth.server)
        .get('/session/end')
        .query({ post_logout_redirect_uri: address, ...further });
    expect((await at('http://127.0.0.1:51004/signed-out')).get('Location')).toBe(
      'http://127.0.0.1:51004/signed-out',
    );
    for (const address of ['com.example.app:/other', 'https://evil.example/', `${loopback}/x`, redirect_uri])
      expect([address, (await at(address)).status]).toEqual([address, 400]);
    // Without the client nobody knows whose address it is.
    expect((await at(post_logout_redirect_uri, {})).get('Location')).toBe('/session/end/success');
    const confidential = await auth.createClient({ post_logout_redirect_uris: [loopback] });
    const { status } = await at('http://127.0.0.1:51004/signed-out', { client_id: confidential.client_id });
    expect(status).toBe(400);
    const refused = {
      name: 'x',
      redirect_uris: ['https://app.example/'],
      post_logout_redirect_uris: ['myapp://x'],
    };
    await auth.internal('/internal/clients/create', refused).expect(403);
  });

  it('shows a hint as text and ignores one that is too long', async () => {
    const hint = `"><script>alert(1)</script>`;
    const page = await form({ login_hint: hint });
    expect(formOf(page).fields['login']).toBe(hint);
    expect(page.text).not.toContain('<script>alert');
    expect(formOf(await form({ login_hint: 'x'.repeat(256) })).fields['login']).toBe('');
  });

  it.each([
    ['`locale` before `ui_locales`', { locale: 'el_GR', ui_locales: 'fr' }, 'de', 'el-GR'],
    ['the first known tag of `ui_locales`', { ui_locales: 'pt-BR tr-TR fr' }, 'de', 'tr-TR'],
    ['the locale of the site before the browser', { siteid: '1' }, 'de', 'en-US'],
    ['the browser without a site', {}, 'pt,de;q=0.8', 'de-DE'],
    ['English without anything known', { ui_locales: `pt ${'x '.repeat(50)}de` }, 'pt', 'en-US'],
  ])('reads %s', async (_what, parameters, accepted, language) => {
    const agent = request.agent(auth.server);
    const { headers } = await agent.get('/authorize').query(authorization(random(), parameters));
    const page = await agent.get(headers['location'] ?? '').set('Accept-Language', accepted);
    expect(page.text).toContain(`<html lang="${language}">`);
  });
});
