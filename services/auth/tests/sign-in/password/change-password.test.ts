import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsDuring } from '../../support/alerts.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import { addPasskey } from '../../support/passkeys.ts';
import type { TestMember } from '../../support/people.ts';
import { storeLink } from '../../support/providers.ts';

const path = '/account/password';
const password = 'quiet-meadow-77';

const change = async (browser: Browser, current: string, fields: Record<string, string> = {}) =>
  browser.submit(await browser.open(path), { current, password, ...fields });

describe('the page that changes the password', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('changepassword', { environment: { LOGIN_FAILURES_PER_DEVICE: '3' } });
  });
  afterAll(() => auth.close());

  const signedIn = async (member: TestMember): Promise<Browser> => {
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    return browser;
  };
  const isSignedIn = async (browser: Browser) =>
    (await browser.begin(auth.client)).get('Location') !== undefined;
  const entersWith = async (member: TestMember, entered: string) => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: String(member.siteid) });
    const end = await browser.submit(page, { login: member.username, password: entered });
    return end.get('Location') !== undefined;
  };

  it('requires the current password, ends every other sign-in, and sends a notification', async () => {
    const member = await auth.addMember();
    const [here, there] = [await signedIn(member), await signedIn(member)];
    const code = destination(await there.begin(auth.client)).searchParams.get('code') ?? '';
    const form = { ...auth.client, grant_type: 'authorization_code', code };
    const { body } = await auth.token(form).expect(200);
    const { refresh_token } = body as { refresh_token: string };

    const page = await here.open(path);
    expect(page.text).toContain('autocomplete="current-password"');
    const done = await here.submit(page, { current: member.password, password });
    expect(done.text).toContain('Your password was changed');
    expect(done.text).toContain('You stay signed in in this browser. Every app and every other browser');
    expect(done.text).toContain('href="/account"');
    expect(done.text).not.toContain('Your passkeys');
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false]);
    await auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token }).expect(400);
    expect([await entersWith(member, member.password), await entersWith(member, password)]).toEqual([
      false,
      true,
    ]);
    const mail = await auth.mailbox.wait(member.email, 'Your password was changed');
    expect(mail.text).toContain('every app and every other browser was signed out');
    expect(mail.text).not.toContain('Your passkeys');
    expect(formOf(await auth.browser().open(mail.path)).fields).toHaveProperty('password');
  });

  it('ends the apps of this browser too, which sign in again without the password', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const code = (await browser.signIn(auth.client, member)).searchParams.get('code') ?? '';
    const form = { ...auth.client, grant_type: 'authorization_code', code };
    const { body } = await auth.token(form).expect(200);
    const { refresh_token } = body as { refresh_token: string };
    expect((await change(browser, member.password)).text).toContain('Your password was changed');
    await auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token }).expect(400);
    expect(destination(await browser.begin(auth.client)).searchParams.get('code')).toBeTruthy();
  });

  it('says on the page and in the mail that passkeys and links are removed, when asked for', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    await addPasskey(browser, await browser.open('/account/passkeys'));
    await storeLink(auth, member, `g-${member.member_id}`);
    const page = await browser.open(path);
    let done = page;
    const told = await alertsDuring(auth, member, async () => {
      done = await browser.submit(page, { current: member.password, password, others: 'end' });
    });
    expect(told).toEqual([
      'credential password changed',
      'credential passkey removed',
      'credential provider removed',
    ]);
    const removed = 'Your passkeys and your accounts at other providers are removed, too.';
    expect(done.text).toContain(removed);
    expect((await auth.mailbox.wait(member.email, 'Your password was changed')).text).toContain(removed);
  });

  it('changes, and alerts, once when the form is sent twice', async () => {
    const { passwords } = auth.context.accounts;
    const member = await auth.addMember();
    const [one, other] = [await signedIn(member), await signedIn(member)];
    const form = await one.open(path);
    const { hash } = passwords;
    passwords.hash = async (...given) => {
      passwords.hash = hash;
      await change(other, member.password);
      return hash(...given);
    };
    const told = await alertsDuring(auth, member, async () => {
      const late = await one.submit(form, { current: member.password, password });
      expect(late.text).not.toContain('Your password was changed');
    });
    expect(told).toEqual(['credential password changed']);
  });

  it('redirects to the sign-in and back when nobody is signed in', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const login = await browser.open(`${path}?siteid=1&locale=de_DE`);
    expect(login.text).toContain('<html lang="de-DE">');
    const back = destination(
      await browser.submit(login, { login: member.username, password: member.password }),
    );
    expect(back.origin + back.pathname).toBe(`http://auth.test${path}`);
    const page = await browser.open(back.pathname + back.search);
    expect(page.text).toContain(`value="${member.username}"`);
    const done = await browser.submit(page, { current: member.password, password });
    expect(done.text).toContain('Your password was changed');
  });

  it('issues no tokens for its own sign-in', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const { username: login, password: entered } = member;
    const back = destination(await browser.submit(await browser.open(path), { login, password: entered }));
    const code = back.searchParams.get('code') ?? '';
    expect(code).not.toBe('');
    const redirect_uri = `http://auth.test${path}`;
    for (const client_secret of ['', 'guessed', auth.client.client_secret]) {
      const form = { client_id: 'hosted-pages', client_secret, redirect_uri, code };
      const { status } = await auth.token({ ...form, grant_type: 'authorization_code' });
      expect([client_secret, status]).toEqual([client_secret, 401]);
    }
  });

  it('shows an error instead of redirecting again when the browser blocks cookies', async () => {
    const page = await auth.browser().open(`${path}?code=x`);
    expect([page.status, page.text.includes('blocks cookies')]).toEqual([400, true]);
  });

  it('limits wrong passwords like the login form, and then refuses the correct one', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    for (let turn = 0; turn < 3; turn += 1)
      expect((await change(browser, `guess-${turn}`)).text).toContain('not your current password');
    const limited = await change(browser, member.password);
    expect([limited.status, limited.get('Retry-After') !== undefined]).toEqual([429, true]);
    expect(await entersWith(member, member.password)).toBe(true);
  });

  it('rejects the form of another browser, and passwords that break the rules', async () => {
    const member = await auth.addMember();
    const browser = await signedIn(member);
    expect((await change(browser, member.password, { csrf: 'forged' })).status).toBe(403);
    for (const weak of ['short', member.username, 'password1']) {
      const refused = await change(browser, member.password, { password: weak });
      expect(refused.text).toContain('role="alert"');
      expect(formOf(refused).fields).toHaveProperty('current', '');
    }
    expect(await entersWith(member, member.password)).toBe(true);
  });

  it('is not shown for an ended session or an inactive member', async () => {
    const [member, suspended] = [await auth.addMember(), await auth.addMember()];
    const [ended, other] = [await signedIn(member), await signedIn(suspended)];
    await auth.internal('/internal/sessions/end', { member_id: member.member_id }).expect(200);
    const state = auth.profile.members.get(suspended.member_id);
    if (state) state.suspended = true;
    for (const browser of [ended, other])
      expect(formOf(await browser.open(path)).fields).not.toHaveProperty('current');
  });
});
