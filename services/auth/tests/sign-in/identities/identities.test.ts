import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listenLocally } from '@covalence/testing/listen-locally';
import { decodeJwt } from 'jose';
import { createServer } from 'node:http';
import type { Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsDuring, alertsTo } from '../../support/alerts.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import { passThrough, type Fault, type OpenidProvider } from '../../support/openid-provider.ts';
import {
  continueWith,
  linksOf,
  newPerson,
  pathToProvider,
  removeLink,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';
import { addPasskey, enterPasskey } from '../../support/passkeys.ts';
import { turnOn } from '../../support/second-factor.ts';
import type { TestMember } from '../../support/people.ts';

const codeOf = (page: Response) => destination(page).searchParams.get('code');

describe('signing in with an account at a provider', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  let google: OpenidProvider;
  let apple: OpenidProvider;
  beforeAll(async () => {
    providers = await startProviders();
    ({ google, apple } = providers);
    auth = await startService('identities', { environment: providers.settings });
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });
  afterEach(() => {
    Object.assign(google, { fault: {}, state: 'up' });
  });

  const begin = (browser: Browser, siteid = '1') => browser.begin(auth.client, { siteid });

  /** A member whose account is linked with whoever is signed in at the provider. */
  const linkedMember = async (provider: 'google' | 'apple') => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const page = await continueWith(provider, browser, await begin(browser));
    const { username, password } = member;
    expect(codeOf(await browser.submit(page, { login: username, password }))).toBeTruthy();
    return member;
  };
  const signsIn = async (member: TestMember, page: Response) => {
    const code = codeOf(page) ?? '';
    const { body } = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    expect(decodeJwt(body.access_token as string)).toMatchObject({ sub: member.member_id });
  };

  it.each(['google', 'apple'] as const)(
    '%s: links the account once its password proves it, tells its owner, and signs in by itself from then on',
    async (id) => {
      newPerson(id === 'google' ? google : apple);
      const member = await linkedMember(id);
      const mail = await auth.mailbox.wait(member.email, 'A new way to sign in to your account');
      expect(mail.text).toContain(id === 'google' ? 'Google now opens' : 'Apple now opens');
      expect(await alertsTo(auth, member)).toContain('credential');
      const browser = auth.browser();
      await signsIn(member, await continueWith(id, browser, await begin(browser)));
    },
  );

  it('does not link by email address: a wrong password links nothing', async () => {
    const member = await auth.addMember();
    newPerson(google, { email: member.email });
    const browser = auth.browser();
    const page = await continueWith('google', browser, await begin(browser));
    expect(page.text).toContain('Link your account');
    expect(formOf(page).fields['login']).toBe(member.email);
    const again = await browser.submit(page, { password: 'not the password' });
    expect(again.text).toContain('do not match');
    expect(again.text).toMatch(/<input[^>]* name="password"[^>]* aria-invalid="true" autofocus>/);
    // The form still links: the second entry is right.
    const { password } = member;
    await signsIn(member, await browser.submit(again, { login: member.username, password }));
  });

  it('links the account once its passkey proves it', async () => {
    const member = await auth.addMember();
    const before = auth.browser();
    await before.signIn(auth.client, member);
    const { passkey } = await addPasskey(before, await before.open('/account/passkeys'));
    newPerson(google);
    const browser = auth.browser();
    const page = await continueWith('google', browser, await begin(browser));
    const forged = await enterPasskey(browser, page, passkey, { isForged: true });
    expect(forged.text).toContain('Link your account');
    expect(await linksOf(auth, member.member_id)).toEqual([]);
    await signsIn(member, await enterPasskey(browser, forged, passkey));
    expect(await linksOf(auth, member.member_id)).toHaveLength(1);
  });

  it('links by a mailed link, only in the browser that asked for it', async () => {
    const member = await auth.addMember();
    newPerson(google);
    const browser = auth.browser();
    const page = await continueWith('google', browser, await begin(browser));
    const { action, fields } = formOf(page);
    await browser.post(`${action}/identity/mail`, { ...fields, login: member.email });
    const { path } = await auth.mailbox.wait(member.email, 'Link your account');
    const elsewhere = await auth.browser().open(path);
    expect([elsewhere.status, elsewhere.text]).toEqual([403, expect.stringContaining('other browser')]);
    await signsIn(member, await browser.submit(await browser.open(path), {}));
  });

  it('asks for credentials after a mailed link too, when the app wants them and the provider has not asked', async () => {
    const member = await auth.addMember();
    await auth.context.accounts.emails.confirm(member.member_id, member.email, new Date());
    newPerson(google);
    google.fault = { auth_time: undefined };
    const browser = auth.browser();
    const start = await browser.begin(auth.client, { siteid: '1', prompt: 'login' });
    const { action, fields } = formOf(await continueWith('google', browser, start));
    await browser.post(`${action}/identity/mail`, { ...fields, login: member.email });
    const { path } = await auth.mailbox.wait(member.email, 'Link your account');
    const refused = await browser.submit(await browser.open(path), {});
    expect(refused.text).toContain('did not ask who you are just now');
    const { username, password } = member;
    expect(codeOf(await browser.submit(refused, { login: username, password }))).toBeTruthy();
    expect(await linksOf(auth, member.member_id)).toHaveLength(1);
  });

  it('takes an account that somebody made with the address of another person, and confirms the address', async () => {
    const member = await auth.addMember();
    const stalker = auth.browser();
    const code = (await stalker.signIn(auth.client, member)).searchParams.get('code') ?? '';
    const form = { ...auth.client, grant_type: 'authorization_code', code };
    const { refresh_token } = (await auth.token(form).expect(200)).body as { refresh_token: string };
    await addPasskey(stalker, await stalker.open('/account/passkeys'));
    await turnOn(stalker);
    await storeLink(auth, member, newPerson(apple).sub, 'apple');
    const linkByMail = async (nth: number) => {
      const owner = auth.browser();
      const { action, fields } = formOf(await continueWith('google', owner, await begin(owner)));
      await owner.post(`${action}/identity/mail`, { ...fields, login: member.email });
      const { path } = await auth.mailbox.wait(member.email, 'Link your account', nth);
      await signsIn(member, await owner.submit(await owner.open(path), {}));
    };
    newPerson(google);
    const told = await alertsDuring(auth, member, () => linkByMail(1));
    const removed = ['password', 'passkey', 'provider'].map((kind) => `credential ${kind} removed`);
    expect(told).toEqual([...removed, 'two_step false', 'credential provider added']);
    await auth.mailbox.wait(member.email, 'Your account was taken back with an emailed link');
    await auth.mailbox.wait(member.email, 'Two-step sign-in was turned off');
    await auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token }).expect(400);
    const account = await auth.context.accounts.find(member.member_id);
    for (const gone of ['password_hash', 'passkeys', 'totp']) expect(account).not.toHaveProperty(gone);
    expect(account?.email_confirmed_at).toBeDefined();
    const linked = async () => (await linksOf(auth, member.member_id)).map(({ provider }) => provider);
    expect(await linked()).toEqual(['google']);
    // From then on the reader of the mailbox is its owner, whose other ways in stay.
    await storeLink(auth, member, newPerson(apple).sub, 'apple');
    await removeLink(auth, member.member_id, 'google');
    newPerson(google);
    await linkByMail(2);
    expect(await linked()).toEqual(['apple', 'google']);
  });

  it('refuses to link with a second account, and a second account of one provider', async () => {
    newPerson(google);
    const first = await linkedMember('google');
    const second = await auth.addMember();
    // Another person at the same provider, for the member who has one already.
    newPerson(google);
    const browser = auth.browser();
    const page = await continueWith('google', browser, await begin(browser));
    const { username, password } = first;
    const refused = await browser.submit(page, { login: username, password });
    expect(refused.text).toContain('This cannot be linked');
    await signsIn(
      second,
      await browser.submit(refused, { login: second.username, password: second.password }),
    );
  });

  it('counts as credentials only when the provider says that it has just asked for its own', async () => {
    newPerson(google);
    const member = await linkedMember('google');
    const { password } = member;
    const asked = (browser: Browser) => browser.begin(auth.client, { siteid: '1', prompt: 'login' });
    const ageOf = async (page: Response) => {
      const form = { ...auth.client, grant_type: 'authorization_code', code: codeOf(page) ?? '' };
      const { body } = await auth.token(form).expect(200);
      return Date.now() / 1000 - (decodeJwt(body.access_token as string)['auth_time'] as number);
    };
    const fresh = auth.browser();
    expect(await ageOf(await continueWith('google', fresh, await asked(fresh)))).toBeLessThan(60);
    expect((await fresh.open('/account')).text).toContain('Your account');

    google.fault = { auth_time: undefined };
    const silent = auth.browser();
    const usual = await continueWith('google', silent, await begin(silent));
    expect(await ageOf(usual)).toBeGreaterThan(600);
    const form = await silent.open('/account');
    expect(form.text).not.toContain('Your account');
    const refused = await continueWith('google', silent, form);
    expect(refused.text).toContain('did not ask who you are just now');
    const entered = await silent.submit(refused, { login: member.username, password });
    const { pathname, search } = destination(entered);
    expect((await silent.open(pathname + search)).text).toContain('Your account');

    for (const seconds of [700, 7_000]) {
      google.fault = { auth_time: Math.floor(Date.now() / 1000) - seconds };
      const browser = auth.browser();
      expect((await continueWith('google', browser, await asked(browser))).text).toContain('just now');
    }
    // Nobody can ask for anything else: the provider's word has to do.
    google.fault = { auth_time: undefined };
    await auth.context.connection
      .collection<{ _id: string }>('accounts')
      .updateOne({ _id: member.member_id }, { $unset: { password_hash: 1 } });
    const only = auth.browser();
    expect(await ageOf(await continueWith('google', only, await asked(only)))).toBeLessThan(60);
  });

  it('does not count as credentials after a sign-out everywhere either, and is still a sign-in', async () => {
    newPerson(google);
    const member = await linkedMember('google');
    const { member_id } = member;
    await auth.internal('/internal/sessions/end', { member_id }).expect(200);
    google.fault = { auth_time: undefined };
    const browser = auth.browser();
    const end = await continueWith('google', browser, await begin(browser));
    const codes = [codeOf(end), codeOf(await begin(browser))];
    for (const code of codes) {
      const form = { ...auth.client, grant_type: 'authorization_code', code: code ?? '' };
      const { body } = await auth.token(form).expect(200);
      const { auth_time } = decodeJwt(body.access_token as string);
      expect(Date.now() / 1000 - Number(auth_time)).toBeGreaterThan(600);
    }
    expect((await browser.open('/account')).text).not.toContain('Your account');
    await auth.internal('/internal/sessions/end', { member_id }).expect(200);
    expect((await begin(browser)).text).toContain('type="password"');
  });

  it('does not link where the site of the member does not offer the provider', async () => {
    newPerson(apple);
    const member = await auth.addMember({ siteid: 2 });
    const browser = auth.browser();
    const page = await continueWith('apple', browser, await browser.begin(auth.client));
    const refused = await browser.submit(page, { login: member.username, password: member.password });
    expect(refused.text).toContain('This cannot be linked');
    expect(await linksOf(auth, member.member_id)).toEqual([]);
  });

  it('asks a deactivated member twice, refuses a suspended one, and offers a provider only where it is on', async () => {
    newPerson(google);
    const member = await linkedMember('google');
    const state = auth.profile.members.get(member.member_id);
    if (!state) throw new Error('no such member');
    state.deactivated = true;
    const browser = auth.browser();
    const asked = await continueWith('google', browser, await begin(browser));
    expect(asked.text).toContain('Your profile is deactivated');
    await signsIn(member, await continueWith('google', browser, asked));
    state.suspended = true;
    const refused = await continueWith('google', browser, await begin(browser));
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('suspended')]);
    const other = await begin(auth.browser(), '2');
    expect(other.text).toContain('/identity/google');
    expect(other.text).not.toContain('/identity/apple');
    const staff = await auth.createClient({ staff: true });
    expect((await auth.browser().begin(staff)).text).not.toContain('/identity/');
  });

  it.each<[string, Fault]>([
    ['of another issuer', { iss: 'https://issuer.example' }],
    ['for another client', { aud: 'another-client' }],
    ['of another request', { nonce: 'another' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['that was issued long ago', { iat: Math.floor(Date.now() / 1000) - 3_600 }],
    ['signed with the client secret', { alg: 'HS256' }],
    ['without a signature', { alg: 'none' }],
    ['signed with an unknown key', { strangeKey: true }],
  ])('refuses an identity token %s', async (_what, fault) => {
    newPerson(google);
    google.fault = fault;
    const browser = auth.browser();
    const page = await continueWith('google', browser, await begin(browser));
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('did not confirm who you are')]);
  });

  it.each(['away', 'silent'] as const)(
    'says so when the provider is %s, and heals by itself',
    async (state) => {
      newPerson(google);
      const member = await linkedMember('google');
      const browser = auth.browser();
      const page = await begin(browser);
      const { url } = await passThrough(destination(await browser.open(pathToProvider('google', page))).href);
      google.state = state;
      const away = await browser.open(url.pathname + url.search);
      expect([away.status, away.text]).toEqual([503, expect.stringContaining('is not responding')]);
      google.state = 'up';
      await signsIn(member, await continueWith('google', browser, away));
    },
    20_000,
  );

  it('reads no endless answer of a provider, and follows it to no other address', async () => {
    newPerson(google);
    let calls = 0;
    const inside = createServer((_request, response) => {
      calls += 1;
      response.end('{}');
    });
    google.elsewhere = `http://127.0.0.1:${await listenLocally(inside)}/`;
    for (const [state, status] of [
      ['endless', 403],
      ['redirecting', 503],
    ] as const) {
      const browser = auth.browser();
      const page = await begin(browser);
      const { url } = await passThrough(destination(await browser.open(pathToProvider('google', page))).href);
      google.state = state;
      expect((await browser.open(url.pathname + url.search)).status).toBe(status);
      google.state = 'up';
    }
    expect(calls).toBe(0);
    inside.close();
  });

  it('takes a new key of the provider at once, and a canceled visit leads back to the form', async () => {
    newPerson(google);
    const member = await linkedMember('google');
    await auth.later(6_000, async () => {
      await google.rollKeys();
      const browser = auth.browser();
      await signsIn(member, await continueWith('google', browser, await begin(browser)));
      google.person = undefined;
      const page = await continueWith(
        'google',
        browser,
        await browser.begin(auth.client, { siteid: '1', prompt: 'login' }),
      );
      expect(page.text).toContain('Sign in');
    });
  });
});
