import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import { addPasskey, authenticator, enterPasskey, optionsOf } from '../../support/passkeys.ts';
import type { TestMember } from '../../support/people.ts';
import {
  continueWith,
  linksOf,
  newPerson,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';
import { alertOf, codeOf, keyIn, titleOf, turnOn, wrongCodeOf } from '../../support/second-factor.ts';

const stepMs = 30_000;
const asked = 'Confirm that it is you';

describe('a sign-in of a member with two-step sign-in', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startService('two-step', { environment: providers.settings });
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });

  /** A member who has turned it on. */
  const withTwoSteps = async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const earlier = await browser.signIn(auth.client, member);
    return { member, browser, earlier, ...(await turnOn(browser)) };
  };
  const enter = async ({ username, password }: TestMember, browser: Browser, parameters = {}) =>
    browser.submit(await browser.begin(auth.client, { siteid: '1', ...parameters }), {
      login: username,
      password,
    });
  const tokensAfter = async (end: URL | Response) => {
    const code = (end instanceof URL ? end : destination(end)).searchParams.get('code') ?? '';
    const { body } = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return body as { access_token: string; refresh_token: string };
  };
  const amrAfter = async (end: Response) => decodeJwt((await tokensAfter(end)).access_token)['amr'];
  /** As if a step later, so that the app shows another code. */
  const nextStep = <Result>(work: (now: number) => Promise<Result>) =>
    auth.later(stepMs, () => work(Date.now() + stepMs));

  it('asks for a code after the password, once for each code, and tells apps how', async () => {
    const { member, key, code } = await withTwoSteps();
    const browser = auth.browser();
    const page = await enter(member, browser);
    expect([titleOf(page), page.text]).toEqual([asked, expect.stringContaining('Customer service can help')]);
    expect(page.text).not.toContain('administrator');
    expect(alertOf(await browser.submit(page, { code }))).toContain('already used');
    await nextStep(async (now) => {
      const end = await browser.submit(await enter(member, browser), { code: codeOf(key, now) });
      expect(await amrAfter(end)).toEqual(['pwd', 'otp', 'mfa']);
      const other = auth.browser();
      const again = await other.submit(await enter(member, other), { code: codeOf(key, now) });
      expect(alertOf(again)).toContain('already used');
    });
  });

  it('asks for none after a passkey', async () => {
    const { member, browser } = await withTwoSteps();
    const { passkey } = await addPasskey(browser, await browser.open('/account/passkeys'));
    const other = auth.browser();
    const end = await enterPasskey(other, await other.begin(auth.client, { siteid: '1' }), passkey);
    expect(await amrAfter(end)).toEqual(['pop']);
    // The passkey also answers the question after the password.
    const third = auth.browser();
    const page = await enter(member, third);
    const { action, fields } = formOf(page);
    const credential = authenticator.get(optionsOf(page), passkey);
    const answered = await third.post(action.replace('/factor', ''), { ...fields, credential });
    expect(await amrAfter(answered)).toEqual(['pop']);
  });

  it('asks after a provider too, and links an account at one only after the code', async () => {
    const { member, key, codes } = await withTwoSteps();
    const { sub } = newPerson(providers.google);
    await storeLink(auth, member, sub);
    const browser = auth.browser();
    const page = await continueWith('google', browser, await browser.begin(auth.client, { siteid: '1' }));
    expect(titleOf(page)).toBe(asked);
    await nextStep(async (now) => {
      const end = await browser.submit(page, { code: codeOf(key, now) });
      expect(await amrAfter(end)).toEqual(['fed', 'otp', 'mfa']);
    });
    newPerson(providers.apple);
    const linking = auth.browser();
    const form = await continueWith('apple', linking, await linking.begin(auth.client, { siteid: '1' }));
    const half = await linking.submit(form, { login: member.username, password: member.password });
    const linked = async () => (await linksOf(auth, member.member_id)).map(({ provider }) => provider);
    expect([titleOf(half), await linked()]).toEqual([asked, ['google']]);
    const offered = await linking.submit(half, { code: codes[0] ?? '' });
    const { csrf = '', proof = '' } = formOf(offered).fields;
    const end = await linking.post(formOf(offered).action, { csrf, proof, skip: 'yes' });
    expect(end.get('Location')).toContain('code=');
    expect((await linked()).sort()).toEqual(['apple', 'google']);
  });

  it('takes a recovery code, which leads to a new app or on', async () => {
    const { member, codes } = await withTwoSteps();
    const browser = auth.browser();
    const used = async () => {
      const { values } = await auth.context.metrics.securityEvents.get();
      return values.find(({ labels }) => labels.event === 'recovery_code_used')?.value ?? 0;
    };
    const before = await used();
    const page = await browser.submit(await enter(member, browser), { code: codes[0] ?? '' });
    expect([titleOf(page), await used()]).toEqual(['Protect your account', before]);
    const key = keyIn(page);
    await browser.submit(page, { code: codeOf(key) });
    expect(await used()).toBe(before + 1);
    await auth.mailbox.wait(member.email, 'Two-step sign-in was set up', 2);
    await nextStep(async (now) => {
      const other = auth.browser();
      const end = await other.submit(await enter(member, other), { code: codeOf(key, now) });
      expect(await amrAfter(end)).toEqual(['pwd', 'otp', 'mfa']);
    });
  });

  it('asks a deactivated member before the credentials are entered again', async () => {
    const { member, key } = await withTwoSteps();
    const standing = auth.profile.members.get(member.member_id);
    if (!standing) throw new Error('no such member');
    standing.deactivated = true;
    const browser = auth.browser();
    const { username: login, password } = member;
    const page = await enter(member, browser);
    expect(titleOf(page)).toBe(asked);
    expect((await browser.submit(page, { code: wrongCodeOf(key) })).status).toBe(200);
    await nextStep(async (now) => {
      const again = await browser.submit(page, { code: codeOf(key, now) });
      expect([titleOf(again), standing.deactivated]).toEqual(['Reactivate your profile', true]);
      const end = await browser.submit(again, { login, password });
      expect([await amrAfter(end), standing.deactivated]).toEqual([['pwd', 'otp', 'mfa'], false]);
    });
  });

  it('still asks after a forgotten password was replaced', async () => {
    const { member, codes } = await withTwoSteps();
    const browser = auth.browser();
    const { action } = formOf(await browser.begin(auth.client, { siteid: '1' }));
    await browser.submit(await browser.open(`${action}/forgotten`), { login: member.username });
    const { path } = await auth.mailbox.wait(member.email, 'Choose a new password');
    const password = 'quiet-meadow-77';
    expect((await browser.post(path, { password })).text).toContain('Your password was changed');
    const page = await enter({ ...member, password }, browser);
    expect(titleOf(page)).toBe(asked);
    expect(titleOf(await browser.submit(page, { code: codes[0] ?? '' }))).toBe('Protect your account');
  });

  it('is asked for in sessions of browsers from before, while apps stay signed in', async () => {
    const member = await auth.addMember();
    const [before, browser] = [auth.browser(), auth.browser()];
    const { refresh_token } = await tokensAfter(await before.signIn(auth.client, member));
    await browser.signIn(auth.client, member);
    await turnOn(browser);
    await auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token }).expect(200);
    for (const path of ['/account', '/account/password'])
      expect((await before.open(path)).text).toContain('name="login"');
    expect((await before.begin(auth.client, { siteid: '1' })).text).toContain('name="login"');
    expect((await browser.begin(auth.client, { siteid: '1' })).get('Location')).toContain('code=');
    expect((await browser.open('/account')).text).toContain(member.email);
  });

  it('tells the member of wrong codes, and locks neither recovery codes nor passkeys', async () => {
    const { member, browser, key, codes } = await withTwoSteps();
    const { passkey } = await addPasskey(browser, await browser.open('/account/passkeys'));
    const thief = auth.browser();
    const page = await enter(member, thief);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1)
      statuses.push((await thief.submit(page, { code: wrongCodeOf(key) })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    await auth.mailbox.wait(member.email, 'Wrong codes were entered for your account');
    const owner = auth.browser();
    expect(titleOf(await owner.submit(await enter(member, owner), { code: codes[0] ?? '' }))).toBe(
      'Protect your account',
    );
    const other = auth.browser();
    const end = await enterPasskey(other, await other.begin(auth.client, { siteid: '1' }), passkey);
    expect(end.get('Location')).toContain('code=');
    const mails = await auth.mailbox.to(member.email);
    expect(mails.filter(({ subject }) => subject.startsWith('Wrong codes'))).toHaveLength(1);
  });

  it('gives a browser that only a mailed link made known no attempts of its own', async () => {
    const { member, key } = await withTwoSteps();
    const thief = auth.browser();
    const { action } = formOf(await thief.begin(auth.client, { siteid: '1' }));
    await thief.submit(await thief.open(`${action}/forgotten`), { login: member.username });
    const { path } = await auth.mailbox.wait(member.email, 'Choose a new password');
    const password = 'quiet-meadow-77';
    await thief.post(path, { password });
    const page = await enter({ ...member, password }, thief);
    for (let count = 0; count < 5; count += 1) await thief.submit(page, { code: wrongCodeOf(key) });
    expect((await thief.submit(page, { code: wrongCodeOf(key) })).status).toBe(429);
  });
});
