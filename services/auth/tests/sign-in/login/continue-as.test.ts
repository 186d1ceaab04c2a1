import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import request, { type Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { TestClient, TestMember } from '../../support/people.ts';

const native = 'com.example.second:/back';

let auth: ServiceUnderTest;
let member: TestMember;
let second: TestClient;
beforeAll(async () => {
  auth = await startService('continueas');
  member = await auth.addMember();
  second = await auth.createClient({ redirect_uri: native });
});
afterAll(() => auth.close());

const signedIn = async (): Promise<Browser> => {
  const browser = auth.browser();
  await browser.signIn(auth.client, member);
  return browser;
};
const isAsked = (page: Response) => page.text?.includes(`Continue as ${member.username}`) ?? false;
const codeOf = (answer: Response) => destination(answer).searchParams.get('code');
/** The error of a request that may show nothing. */
const told = async (browser: Browser) =>
  destination(await browser.begin(second, { prompt: 'none' })).searchParams.get('error');
const cookiesOf = (answer: Response) =>
  (answer.get('Set-Cookie') ?? []).map((one) => one.split(';', 1)[0] ?? '');
const get = (path: string, cookies: readonly string[]) =>
  request(auth.server).get(path).set('Cookie', cookies.join('; '));
const query = ({ client_id, redirect_uri }: TestClient) =>
  new URLSearchParams({ client_id, redirect_uri, response_type: 'code' }).toString();

describe('an app in a browser that is signed in', () => {
  it.each([
    native,
    'http://127.0.0.1:8976/back',
    'http://localhost/back',
    'http://[::1]:8976/back',
    'https://localhost/back',
  ])('gets no code without the consent of the member when it redirects to %s', async (redirect_uri) => {
    const client = await auth.createClient({ redirect_uri });
    const browser = await signedIn();
    const page = await browser.begin(client, { siteid: '1' });
    expect([page.status, isAsked(page)]).toEqual([200, true]);
    expect(page.text).toContain('Test app');
    expect(formOf(page).fields).not.toHaveProperty('password');
    const back = await browser.submit(page, { continue: 'yes' });
    const code = codeOf(back) ?? '';
    await auth.token({ ...client, grant_type: 'authorization_code', code }).expect(200);
    // The next request may be that of another app, which has taken the address.
    expect(isAsked(await browser.begin(client, { siteid: '1' }))).toBe(true);
  });

  it('gets a code at once when it redirects to an https address', async () => {
    const client = await auth.createClient({ redirect_uri: 'https://other.example/back' });
    expect(codeOf(await (await signedIn()).begin(client))).toBeTruthy();
  });

  it('needs consent for the redirect URI of an app, even after a sign-in with a web redirect URI', async () => {
    const redirect_uris = ['https://other.example/back', native];
    const made = await auth.internal('/internal/clients/create', { name: 'Both', redirect_uris });
    const both = { ...(made.body as TestClient), redirect_uri: 'https://other.example/back' };
    const browser = auth.browser();
    expect((await browser.signIn(both, member)).searchParams.get('code')).toBeTruthy();
    expect(codeOf(await browser.begin(both))).toBeTruthy();
    expect(isAsked(await browser.begin({ ...both, redirect_uri: native }))).toBe(true);
  });

  it('gets interaction_required with prompt=none, and login_required without a session', async () => {
    expect(await told(await signedIn())).toBe('interaction_required');
    expect(await told(auth.browser())).toBe('login_required');
  });

  it('needs consent for every request except the one with credentials', async () => {
    const browser = auth.browser();
    expect((await browser.signIn(second, member)).searchParams.get('code')).toBeTruthy();
    expect(isAsked(await browser.begin(second))).toBe(true);
    const forced = await browser.begin(second, { prompt: 'login' });
    expect(formOf(forced).fields).toHaveProperty('password');
  });

  it('lets the member sign in to another account, which replaces the session', async () => {
    const other = await auth.addMember();
    const browser = await signedIn();
    const page = await browser.begin(second, { siteid: '1' });
    const form = await browser.open(`${formOf(page).action}?account=other`);
    const back = await browser.submit(form, { login: other.username, password: other.password });
    expect(codeOf(back)).toBeTruthy();
    const third = await auth.createClient({ redirect_uri: 'com.example.third:/back' });
    const asked = await browser.begin(third);
    expect(asked.text).toContain(`Continue as ${other.username}`);
  });

  it('gets no silent code with the client id and scheme of another app and its own verifier', async () => {
    const browser = auth.browser();
    await browser.signIn(second, member);
    expect(codeOf(await browser.submit(await browser.begin(second), { continue: 'yes' }))).toBeTruthy();
    const code_challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url');
    const attack = { prompt: 'none', code_challenge, code_challenge_method: 'S256' };
    const { searchParams } = destination(await browser.begin(second, attack));
    expect([searchParams.get('code'), searchParams.get('error')]).toEqual([null, 'interaction_required']);
  });

  it('accepts "Continue" only with the CSRF token of its form', async () => {
    const browser = await signedIn();
    const page = await browser.begin(second);
    for (const csrf of ['', 'x'.repeat(43)]) {
      expect((await browser.submit(page, { continue: 'yes', csrf })).status).toBe(403);
    }
    expect(codeOf(await browser.submit(page, { continue: 'yes' }))).toBeTruthy();
  });

  it('ignores "Continue" when the page asks for credentials', async () => {
    const page = await auth.browser().begin(second);
    const { action, fields } = formOf(page);
    expect(fields).toHaveProperty('password');
    const browser = await signedIn();
    const login = await browser.begin(auth.client, { prompt: 'login' });
    expect((await browser.submit(login, { continue: 'yes' })).text).toContain('open for too long');
    await request(auth.server)
      .post(action)
      .type('form')
      .send({ ...fields, continue: 'yes' })
      .expect(400);
  });

  it('continues only with the session that the page was shown for', async () => {
    /** The cookies of a browser's session, and of a page "Continue as …" in it. */
    const begun = async (who: TestMember) => {
      const start = await get(`/authorize?${query(auth.client)}`, []);
      const page = await get(start.get('Location') ?? '', cookiesOf(start));
      const { action, fields } = formOf(page);
      const entered = await request(auth.server)
        .post(action)
        .set('Cookie', cookiesOf(start).join('; '))
        .type('form')
        .send({ ...fields, login: who.username, password: who.password });
      const back = await get(entered.get('Location') ?? '', [...cookiesOf(start), ...cookiesOf(entered)]);
      const session = cookiesOf(back).filter((cookie) => cookie.startsWith('_session'));
      const asked = await get(`/authorize?${query(second)}`, session);
      const interaction = cookiesOf(asked).filter((cookie) => cookie.startsWith('_interaction'));
      return { session, interaction, path: asked.get('Location') ?? '' };
    };
    const thief = await begun(await auth.addMember());
    const victim = await begun(member);
    // The thief's page, planted in the victim's browser: a form for credentials, and nothing to continue.
    const planted = await get(thief.path, [...victim.session, ...thief.interaction]);
    expect(isAsked(planted)).toBe(false);
    const { fields } = formOf(planted);
    const pressed = await request(auth.server)
      .post(thief.path)
      .set('Cookie', [...victim.session, ...thief.interaction].join('; '))
      .type('form')
      .send({ csrf: fields['csrf'], continue: 'yes' });
    expect(pressed.text).toContain('open for too long');
    // The victim's own "Continue", whose cookies the thief has learned.
    const page = await get(victim.path, [...victim.session, ...victim.interaction]);
    expect(isAsked(page)).toBe(true);
    const went = await request(auth.server)
      .post(victim.path)
      .set('Cookie', [...victim.session, ...victim.interaction].join('; '))
      .type('form')
      .send({ ...formOf(page).fields, continue: 'yes' });
    const goOn = went.get('Location') ?? '';
    const stolen = await get(goOn, victim.interaction);
    expect([stolen.status, stolen.get('Location')]).toEqual([400, undefined]);
    const own = await get(goOn, [...victim.session, ...victim.interaction, ...cookiesOf(went)]);
    expect(codeOf(own)).toBeTruthy();
  });
});
