import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import { addPasskey, enterPasskey } from '../../support/passkeys.ts';
import {
  continueWith,
  newPerson,
  removePassword,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';
import type { TestMember } from '../../support/people.ts';
import { codeOf, titleOf, turnOn } from '../../support/second-factor.ts';

const minutes = 60_000;
const path = '/account/password';
const password = 'quiet-meadow-77';

/** Signs in at Google for a page, and comes back to it. */
const openWithGoogle = async (browser: Browser, page: string) => {
  const login = await browser.open(`${page}?siteid=1`);
  const end = destination(await continueWith('google', browser, login));
  return browser.open(end.pathname + end.search);
};

describe('the account pages of a member who proves otherwise who it is', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startService('withoutpassword', { environment: providers.settings });
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });

  /** A member who signs in with Google only. */
  const withoutPassword = async () => {
    const member = await auth.addMember();
    const { sub } = newPerson(providers.google);
    await storeLink(auth, member, sub);
    await removePassword(auth, member);
    const browser = auth.browser();
    return { member, browser };
  };

  it('set a first password after a fresh sign-in at the provider', async () => {
    const { member, browser } = await withoutPassword();
    const page = await openWithGoogle(browser, path);
    expect(page.text).not.toContain('name="current"');
    const weak = await browser.submit(page, { password: 'password' });
    expect(weak.text).toContain('too short, too long, too common');
    await auth.later(11 * minutes, async () => {
      const late = await browser.submit(page, { password });
      expect(late.text).toContain('name="login"');
    });
    expect((await browser.submit(page, { password })).text).toContain('Your password was changed');
    await auth.mailbox.wait(member.email, 'Your password was changed');
    const end = await auth.browser().signIn(auth.client, { ...member, password });
    expect(end.searchParams.get('code')).toBeTruthy();
  });

  /** The page of a mailed link that links another account at a provider, for a deactivated member. */
  const askedByMail = async ({ member_id, email }: TestMember, browser: Browser) => {
    await auth.context.accounts.emails.confirm(member_id, email, new Date());
    const state = auth.profile.members.get(member_id);
    Object.assign(state ?? {}, { deactivated: true });
    newPerson(providers.apple);
    const page = await continueWith('apple', browser, await browser.begin(auth.client, { siteid: '1' }));
    const { action, fields } = formOf(page);
    await browser.post(`${action}/identity/mail`, { ...fields, login: email });
    const { path: link } = await auth.mailbox.wait(email, 'Link your account');
    const asked = await browser.open(link);
    expect([asked.text.includes('becomes active again'), state?.deactivated]).toEqual([true, true]);
    return { asked, state };
  };

  it('bring a deactivated profile back with a mailed link, which links another account at the provider', async () => {
    const { member, browser } = await withoutPassword();
    const { asked, state } = await askedByMail(member, browser);
    const end = await browser.submit(asked, {});
    expect(destination(end).searchParams.get('code')).toBeTruthy();
    expect(state?.deactivated).toBe(false);
  });

  it('bring it back with the code of their app after such a link', async () => {
    const member = await auth.addMember();
    const owner = auth.browser();
    await owner.signIn(auth.client, member);
    const { key } = await turnOn(owner);
    await removePassword(auth, member);
    const browser = auth.browser();
    const { asked, state } = await askedByMail(member, browser);
    const half = await browser.submit(asked, {});
    expect([titleOf(half), state?.deactivated]).toEqual(['Confirm that it is you', true]);
    await auth.later(30_000, async () => {
      const end = await browser.submit(half, { code: codeOf(key, Date.now() + 30_000) });
      expect(destination(end).searchParams.get('code')).toBeTruthy();
    });
    expect(state?.deactivated).toBe(false);
  });

  it('change the address and delete the account after one', async () => {
    const { browser } = await withoutPassword();
    auth.profile.answer = () => ({ erased_after: '2026-12-24T00:00:00.000Z' });
    const email = await openWithGoogle(browser, '/account/email');
    const sent = await browser.submit(email, { action: 'change', email: 'new@mail.example' });
    expect(sent.text).toContain('Open the link that we sent');
    const gone = await browser.submit(await browser.open('/account/delete'), { confirm: 'yes' });
    expect(gone.text).toContain('Your account is deleted');
    auth.profile.answer = () => ({});
  });

  it('replace a password that somebody else has set, after a sign-in with a passkey', async () => {
    const member = await auth.addMember();
    const owner = auth.browser();
    await owner.signIn(auth.client, member);
    const { passkey } = await addPasskey(owner, await owner.open('/account/passkeys'));
    const thief = auth.browser();
    await thief.signIn(auth.client, member);
    expect((await thief.open(path)).text).toContain('name="current"');
    await thief.submit(await thief.open(path), { current: member.password, password: 'another-meadow-78' });
    // A session has whole seconds: it begins after the sign-out.
    await auth.later(1_000, async () => {
      const back = auth.browser();
      await enterPasskey(back, await back.begin(auth.client, { siteid: '1' }), passkey);
      const page = await back.open(path);
      expect([page.text.includes('name="current"'), page.text.includes('New password')]).toEqual([
        false,
        true,
      ]);
      await auth.later(11 * minutes, async () => {
        expect((await back.submit(page, { password })).text).toContain('That is not your current password');
      });
      expect((await back.submit(page, { password })).text).toContain('Your password was changed');
      expect((await thief.open('/account')).text).toContain('name="login"');
      expect((await back.open('/account')).text).toContain(member.email);
    });
  });
});
