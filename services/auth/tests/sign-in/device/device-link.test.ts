import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { TestClient, TestMember } from '../../support/people.ts';

const subject = 'Sign in on your device';

let auth: ServiceUnderTest;
beforeAll(async () => {
  auth = await startService('devicelink', { environment: { LOGIN_FAILURES_PER_DEVICE: '8' } });
});
afterAll(() => auth.close());

const enter = async (browser: Browser, { username }: TestMember, password: string) =>
  browser.submit(await browser.begin(auth.client, { siteid: '1', prompt: 'login' }), {
    login: username,
    password,
  });
/** Acts as a stranger who locks a member out. */
const lockOut = async (member: TestMember) => {
  const stranger = auth.browser();
  for (let count = 0; count < 5; count += 1) await enter(stranger, member, `wrong ${count}`);
  return stranger;
};
/** The page with its last form alone: that which offers a link. */
const offerOf = (page: Response): Response =>
  Object.create(page, { text: { value: page.text.slice(page.text.lastIndexOf('<form')) } }) as Response;
const askIn = async (browser: Browser, member: TestMember) =>
  browser.submit(offerOf(await enter(browser, member, member.password)), {});
const linkFor = async ({ email }: TestMember, nth = 1) => (await auth.mailbox.wait(email, subject, nth)).path;
const isIn = (answer: Response) =>
  answer.status === 303 && destination(answer).searchParams.get('code') !== null;

describe("a member on a new device, limited by other people's failures", () => {
  it('signs in with a mailed link and the correct password, in that browser only', async () => {
    const member = await auth.addMember();
    const stranger = await lockOut(member);
    const own = auth.browser();
    const limited = await enter(own, member, member.password);
    expect([limited.status, formOf(offerOf(limited)).action]).toEqual([
      429,
      expect.stringMatching(/^\/login\/[\w-]+\/device$/),
    ]);
    const sent = await own.submit(offerOf(limited), {});
    expect(sent.text).toContain('Check your email');
    const path = await linkFor(member);
    expect(path).toMatch(/^\/device\/[\w-]{43}$/);
    const form = await own.submit(await own.open(path), {});
    expect(formOf(form).fields).toHaveProperty('password');
    const { username: login, password } = member;
    expect(isIn(await own.submit(form, { login, password }))).toBe(true);
    for (const other of [stranger, auth.browser()]) {
      expect((await enter(other, member, member.password)).status).toBe(429);
    }
  });

  it('has a separate limit in that browser', async () => {
    const member = await auth.addMember();
    await lockOut(member);
    const own = auth.browser();
    await askIn(own, member);
    await own.submit(await own.open(await linkFor(member)), {});
    for (let count = 0; count < 8; count += 1) {
      expect((await enter(own, member, `wrong ${count}`)).status).toBe(200);
    }
    expect((await enter(own, member, member.password)).status).toBe(429);
  });

  it('signs in after a password reset while the attacks continue', async () => {
    const member = await auth.addMember();
    await lockOut(member);
    const own = auth.browser();
    const page = await own.begin(auth.client, { siteid: '1' });
    await own.submit(await own.open(`${formOf(page).action}/forgotten`), { login: member.email });
    const { path } = await auth.mailbox.wait(member.email, 'Choose a new password');
    await own.submit(await own.open(path), { password: 'quiet-meadow-77' });
    await lockOut(member);
    expect((await enter(auth.browser(), member, 'quiet-meadow-77')).status).toBe(429);
    expect(isIn(await enter(own, member, 'quiet-meadow-77'))).toBe(true);
  });
});

describe('the link', () => {
  it('does not work in another browser and stays usable', async () => {
    const member = await auth.addMember();
    await lockOut(member);
    const own = auth.browser();
    await askIn(own, member);
    const path = await linkFor(member);
    const other = auth.browser();
    for (const _twice of [1, 2]) {
      const page = await other.open(path);
      expect([page.status, page.text.includes('in the other browser')]).toEqual([403, true]);
    }
    await request(auth.server).post(path).expect(403);
    expect((await enter(other, member, member.password)).status).toBe(429);
    // Opening it, as programs that scan mails do, changes nothing; it may be sent again, as after a lost response.
    await own.open(path);
    expect((await enter(own, member, member.password)).status).toBe(429);
    await own.submit(await own.open(path), {});
    await own.submit(await own.open(path), {});
    expect(isIn(await enter(own, member, member.password))).toBe(true);
  });

  it('does not let in an attacker who requested it and makes the member open it', async () => {
    const member = await auth.addMember();
    const stranger = await lockOut(member);
    await askIn(stranger, member);
    const own = auth.browser();
    expect((await own.open(await linkFor(member))).status).toBe(403);
    expect((await enter(stranger, member, 'a guess')).status).toBe(429);
  });

  it("expires after half an hour, and when the account's address changes", async () => {
    const member = await auth.addMember();
    await lockOut(member);
    const own = auth.browser();
    await askIn(own, member);
    const path = await linkFor(member);
    const { accounts, redis, config } = auth.context;
    const [key = ''] = await redis
      .keys(`${config.NAMESPACE}:auth:device-link:*`)
      .then((keys) => keys.slice(-1));
    expect(await redis.ttl(key)).toBeLessThanOrEqual(1_800);
    const account = await accounts.find(member.member_id);
    if (account) await accounts.emails.change(account, { email: 'another@mail.example' }, new Date());
    expect((await own.open(path)).status).toBe(400);
    expect((await own.open(`/device/${'x'.repeat(43)}`)).status).toBe(400);
  });
});

describe('a request for the link', () => {
  it('gets the same answer for an unknown login', async () => {
    const member = await auth.addMember();
    const nobody = { ...member, username: 'nobody-at-all', email: 'nobody-at-all' };
    const answers: Response[] = [];
    for (const who of [member, nobody]) {
      await lockOut(who);
      answers.push(await askIn(auth.browser(), who));
    }
    const [there, nowhere] = answers.map(({ status, text, headers }) => ({
      status,
      text: text.replace(/\/login\/[\w-]+/g, '/login/'),
      headers: Object.keys(headers as object).toSorted(),
    }));
    expect(nowhere).toEqual(there);
    await linkFor(member);
    await auth.context.afterResponse.drained();
    expect(await auth.mailbox.to('nobody-at-all')).toEqual([]);
  });

  it('sends at most three mails to an account, counted separately from password mails', async () => {
    const member = await auth.addMember();
    await lockOut(member);
    for (let count = 0; count < 5; count += 1) await askIn(auth.browser(), member);
    await auth.context.afterResponse.drained();
    const mails = await auth.mailbox.to(member.email);
    expect(mails.filter((mail) => mail.subject === subject)).toHaveLength(3);
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    const forgotten = await browser.open(`${formOf(page).action}/forgotten`);
    await browser.submit(forgotten, { login: member.email });
    expect(await auth.mailbox.wait(member.email, 'Choose a new password')).toBeTruthy();
  });

  it('is limited per network address like requests for a new password', async () => {
    const member = await auth.addMember();
    const browser = auth.browser('192.0.2.99');
    const page = await browser.begin(auth.client, { siteid: '1' });
    const offer = Object.create(page, {
      text: { value: page.text.replace(/(action="[^"]+)"/, '$1/device"') },
    }) as Response;
    for (let count = 0; count < 20; count += 1) {
      expect((await browser.submit(offer, { login: `nobody${count}` })).status).toBe(200);
    }
    const refused = await browser.submit(offer, { login: member.username });
    expect([refused.status, Number(refused.get('Retry-After')) > 0]).toEqual([429, true]);
    expect((await browser.submit(offer, { login: member.username, csrf: 'x' })).status).toBe(403);
  });

  it('is not offered to staff, who have no email address', async () => {
    const staff: TestClient = await auth.createClient({ staff: true });
    const browser = auth.browser();
    const attempt = async () =>
      browser.submit(await browser.begin(staff), { login: 'nobody-of-staff', password: 'wrong' });
    for (let count = 0; count < 5; count += 1) await attempt();
    const limited = await attempt();
    expect([limited.status, limited.text.includes('/device')]).toEqual([429, false]);
    const { action, fields } = formOf(limited);
    const asked = await browser.submit(
      Object.create(limited, {
        text: { value: limited.text.replace(action, `${action}/device`) },
      }) as Response,
      { ...fields, login: 'nobody-of-staff' },
    );
    expect(asked.status).toBe(400);
  });

  it('redirects to the login form when its page is reloaded', async () => {
    const browser = auth.browser();
    const { action } = formOf(await browser.begin(auth.client, { siteid: '1' }));
    expect(formOf(await browser.open(`${action}/device`)).action).toBe(action);
    await request(auth.server).get(`${action}/device`).expect(400);
  });
});
