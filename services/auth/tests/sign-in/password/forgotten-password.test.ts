import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { alertsDuring, alertsTo } from '../../support/alerts.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

const subject = 'Choose a new password';
const newPassword = 'quiet-meadow-77';

const choose = async (browser: Browser, path: string, password: string) =>
  browser.submit(await browser.open(path), { password });

const withoutIds = (text: string) => text.replace(/\/login\/[\w-]+/g, '/login/');

const relevant = ({ headers }: { headers: Record<string, string> }) => Object.keys(headers).sort();

describe('a forgotten password', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('password');
  });
  afterAll(() => auth.close());

  /** Asks for a link; resolves with the page that answers. */
  const ask = async (login: string, browser = auth.browser(), parameters: Record<string, string> = {}) => {
    const page = await browser.begin(auth.client, { siteid: '1', ...parameters });
    const link = /<a href="([^"]+\/forgotten)"/.exec(page.text)?.[1] ?? '';
    return browser.submit(await browser.open(link), { login });
  };
  /** Another address, in force at once. */
  const changeEmail = async ({ member_id, email: before }: TestMember) => {
    const email = `new-${before}`;
    await auth.internal('/internal/accounts/change-email', { member_id, email }).expect(200);
    const { path } = await auth.mailbox.wait(email, 'Please confirm your new email');
    const browser = auth.browser();
    await browser.submit(await browser.open(path), {});
  };
  const pathFor = async (member: TestMember, nth = 1) =>
    (await auth.mailbox.wait(member.email, subject, nth)).path;

  it('is replaced through a mailed link, in the language and with the name of the site', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const answer = await ask(member.email.toUpperCase(), browser, { locale: 'de_DE' });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Schau in dein Postfach');
    const mail = await auth.mailbox.wait(member.email, 'Wähle ein neues Passwort');
    expect(mail).toMatchObject({ from: 'Heartland Singles', sender: 'no-reply@auth.test' });
    expect(mail.text).toContain(`Hallo ${member.username},`);
    expect(mail.html).toContain(`href="http://auth.test${mail.path}"`);
    expect(mail.path).toMatch(/^\/password\/[\w-]{43}$/);
    const form = await browser.open(mail.path);
    expect(form.text).toContain('<html lang="de-DE">');
    expect(form.get('Content-Security-Policy')).toContain("default-src 'none'");
    const saved = await browser.submit(form, { password: newPassword });
    expect(saved.text).toContain('Dein Passwort ist geändert');
    const back = await auth.browser().signIn(auth.client, { ...member, password: newPassword });
    expect(back.searchParams.get('code')).toBeTruthy();
    const old = await auth.browser().begin(auth.client, { siteid: '1' });
    const wrong = await auth.browser().submit(old, { login: member.username, password: member.password });
    expect(wrong.get('Location')).toBeUndefined();
    expect(await auth.mailbox.wait(member.email, 'Dein Passwort wurde geändert')).toMatchObject({
      path: '/account?siteid=1',
    });
    expect(await alertsTo(auth, member)).toContain('credential');
  });

  it('answers the same and sends nothing for an unknown login', async () => {
    const member = await auth.addMember();
    const [there, nowhere] = [await ask(member.username), await ask('nobody-has-this-name')];
    expect(nowhere.status).toBe(there.status);
    expect(withoutIds(nowhere.text)).toBe(withoutIds(there.text));
    expect(relevant(nowhere)).toEqual(relevant(there));
    await auth.mailbox.wait(member.email, subject);
    await auth.context.afterResponse.drained();
    expect(await auth.mailbox.to('nobody-has-this-name')).toEqual([]);
  });

  it('accepts a link once; opening it does not use it up, and one of two concurrent uses succeeds', async () => {
    const member = await auth.addMember();
    await ask(member.username);
    const path = await pathFor(member);
    const [one, other] = [auth.browser(), auth.browser()];
    const forms = [await one.open(path), await other.open(path)] as const;
    const answers = await Promise.all([
      one.submit(forms[0], { password: 'first-of-the-two-9' }),
      other.submit(forms[1], { password: 'second-of-the-two-9' }),
    ]);
    expect(answers.map((answer) => answer.status).sort((one, other) => one - other)).toEqual([200, 400]);
    const again = await auth.browser().open(path);
    expect(again.status).toBe(400);
    expect(again.text).toContain('no longer works');
    const right = answers[0]?.status === 200 ? 'first-of-the-two-9' : 'second-of-the-two-9';
    await auth.browser().signIn(auth.client, { ...member, password: right });
  });

  it('accepts the same password again after a lost response, and rejects another one', async () => {
    const member = await auth.addMember();
    await ask(member.username);
    const path = await pathFor(member);
    const [one, other] = [auth.browser(), auth.browser()];
    const forms = [await one.open(path), await other.open(path)] as const;
    const sent = { password: newPassword };
    const answers = await Promise.all([one.submit(forms[0], sent), other.submit(forms[1], sent)]);
    answers.push(await one.submit(forms[0], sent));
    for (const { text } of answers) expect(text).toContain('Your password was changed');
    await auth.context.afterResponse.drained();
    const told = await auth.mailbox.to(member.email);
    expect(told.filter((mail) => mail.subject === 'Your password was changed')).toHaveLength(1);
    // A reader of old mails cannot use them to try passwords.
    for (const password of ['a-guess-of-somebody', newPassword])
      expect((await other.submit(forms[1], { password })).status).toBe(400);
    await auth.browser().signIn(auth.client, { ...member, password: newPassword });
  });

  it('alerts once when the form is sent again while the password is changed', async () => {
    const { passwords } = auth.context.accounts;
    const member = await auth.addMember();
    await ask(member.username);
    const path = await pathFor(member);
    const browser = auth.browser();
    const form = await browser.open(path);
    const { hash } = passwords;
    passwords.hash = async (...given) => {
      passwords.hash = hash;
      await choose(auth.browser(), path, newPassword);
      return hash(...given);
    };
    const told = await alertsDuring(auth, member, async () => {
      const saved = await browser.submit(form, { password: newPassword });
      expect(saved.text).toContain('Your password was changed');
    });
    expect(told).toEqual(['credential password changed']);
  });

  it('stays usable when the password could not be stored', async () => {
    const { accounts } = auth.context;
    const member = await auth.addMember();
    await ask(member.username);
    const path = await pathFor(member);
    const original = { ...accounts };
    accounts.setPassword = () => Promise.reject(new Error('the database is down'));
    const failed = await choose(auth.browser(), path, newPassword);
    Object.assign(accounts, original);
    expect(failed.status).toBe(500);
    expect((await choose(auth.browser(), path, newPassword)).text).toContain('Your password was changed');
  });

  it('invalidates other links, and rejects forged ones', async () => {
    const member = await auth.addMember();
    await ask(member.username);
    const first = await pathFor(member);
    await ask(member.username);
    const second = await pathFor(member, 2);
    expect((await choose(auth.browser(), second, newPassword)).status).toBe(200);
    expect((await auth.browser().open(first)).status).toBe(400);
    expect((await auth.browser().open(`/password/${'A'.repeat(43)}`)).status).toBe(400);
    expect((await auth.browser().open('/password/%00')).status).toBe(400);
  });

  it('stores only the hash of a token, for half an hour', async () => {
    const member = await auth.addMember();
    await ask(member.username);
    const token = (await pathFor(member)).split('/').at(-1) ?? '';
    const { sessions } = auth.context.tokens;
    expect(await sessions.find('password-reset', token)).toBeUndefined();
    const id = createHash('sha256').update(token).digest('base64url');
    expect((await sessions.find('password-reset', id))?.payload).not.toContain(token);
    await sessions.remove('password-reset', id);
    expect((await auth.browser().open(`/password/${token}`)).status).toBe(400);
  });

  it('works while a change of the address is pending', async () => {
    const member = await auth.addMember();
    await ask(member.username);
    const path = await pathFor(member);
    await changeEmail(member);
    expect((await choose(auth.browser(), path, newPassword)).text).toContain('Your password was changed');
  });

  it.each(['it expires', 'the address changes'])(
    'rejects the link if %s while the new password is hashed',
    async (what) => {
      const { accounts, tokens, redis, config } = auth.context;
      const { passwords } = accounts;
      const member = await auth.addMember();
      await ask(member.username);
      const path = await pathFor(member);
      const id = createHash('sha256')
        .update(path.split('/').at(-1) ?? '')
        .digest('base64url');
      const original = { ...passwords };
      passwords.hash = async (password) => {
        Object.assign(passwords, original);
        if (what === 'it expires') await tokens.sessions.remove('password-reset', id);
        else await changeEmail(member);
        return passwords.hash(password);
      };
      expect((await choose(auth.browser(), path, newPassword)).status).toBe(400);
      expect(await redis.ttl(`${config.NAMESPACE}:auth:password-reset:${id}`)).not.toBe(-1);
      await auth.browser().signIn(auth.client, member);
    },
  );

  it('rejects passwords that break the rules, without using up the link', async () => {
    const member = await auth.addMember();
    await ask(member.username);
    const path = await pathFor(member);
    const browser = auth.browser();
    for (const password of ['short', 'password1', member.username, member.email, 'x'.repeat(257)]) {
      const refused = await choose(browser, path, password);
      expect(refused.text).toContain('role="alert"');
      expect(formOf(refused).fields).toHaveProperty('password');
    }
    expect((await choose(browser, path, newPassword)).text).toContain('Your password was changed');
  });

  it('ends every session and family, and resets the count of failures', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const code = (await browser.signIn(auth.client, member)).searchParams.get('code') ?? '';
    const pair = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    const guesser = auth.browser();
    let page = await guesser.begin(auth.client, { siteid: '1' });
    for (let turn = 0; turn < 6; turn += 1)
      page = await guesser.submit(page, { login: member.username, password: `guess-${turn}-guess` });
    expect(page.status).toBe(429);
    await ask(member.username);
    await choose(auth.browser(), await pathFor(member), newPassword);
    const { refresh_token } = pair.body as { refresh_token: string };
    await auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token }).expect(400);
    expect((await browser.begin(auth.client)).get('Location')).toBeUndefined();
    const back = await auth.browser().signIn(auth.client, { ...member, password: newPassword });
    expect(back.searchParams.get('code')).toBeTruthy();
  });

  it('lets members choose a password who were imported without one', async () => {
    const member = await auth.addMember();
    await auth.context.connection
      .collection('accounts')
      .updateOne({ username: member.username }, { $unset: { password_hash: 1 } });
    await ask(member.username);
    await choose(auth.browser(), await pathFor(member), newPassword);
    const back = await auth.browser().signIn(auth.client, { ...member, password: newPassword });
    expect(back.searchParams.get('code')).toBeTruthy();
  });

  it('limits mails to 3 per account and requests to 20 per network address', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const statuses: number[] = [];
    for (let turn = 0; turn < 21; turn += 1) statuses.push((await ask(member.username, browser)).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    await auth.context.afterResponse.drained();
    expect(
      await auth.mailbox.to(member.email).then((mails) => mails.filter((one) => one.subject === subject)),
    ).toHaveLength(3);
  });

  it('rejects a form without its CSRF token, and is not offered to staff', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    const form = await browser.open(`${formOf(page).action}/forgotten`);
    expect((await browser.submit(form, { login: member.username, csrf: 'guessed' })).status).toBe(403);
    const staff = await auth.createClient({ staff: true });
    const staffPage = await auth.browser().begin(staff);
    expect(staffPage.text).not.toContain('forgotten');
    expect((await auth.browser().open(`${formOf(staffPage).action}/forgotten`)).status).toBe(400);
    await auth.context.afterResponse.drained();
    const resets = (await auth.mailbox.to(member.email)).filter((mail) => mail.subject === subject);
    expect(resets).toEqual([]);
  });

  it('leads back to the current sign-in', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const sent = await ask(member.username, browser);
    await choose(browser, await pathFor(member), newPassword);
    const back = /<a href="(\/login\/[\w-]+)"/.exec(sent.text)?.[1] ?? '';
    const end = await browser.submit(await browser.open(back), {
      login: member.username,
      password: newPassword,
    });
    expect(destination(end).searchParams.get('code')).toBeTruthy();
  });
});
