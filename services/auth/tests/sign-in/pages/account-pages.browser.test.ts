/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import type { Browser, Page } from 'playwright-core';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestMember } from '../../support/people.ts';
import { enter, faultsOf, openPage, screens, startChromium } from '../../support/chromium-under-test.ts';

const changePage = '/account/password';

const signIn = async (page: Page, { username, password }: TestMember) => {
  await page.goto(changePage);
  await page.locator('[name=login]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.getByRole('button').click();
  await page.locator('[name=current]').waitFor();
};

describe('the pages of an account in a browser', () => {
  let auth: ServiceUnderTest;
  let browser: Browser;
  beforeAll(async () => {
    auth = await startService('accountpages');
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
  });

  /** A member who reads a language, and the link that takes a change of the address back. */
  const withChange = async (locale: string): Promise<{ member: TestMember; link: string }> => {
    const member = await auth.addMember();
    const { member_id, id, email } = member;
    auth.profile.members.set(member_id, { id, deactivated: false, suspended: false, locale });
    const change = { member_id, email: `other-${email}` };
    await auth.internal('/internal/accounts/change-email', change).expect(200);
    const mail = async () => (await auth.mailbox.to(email)).find(({ path }) => path.endsWith('/revert'));
    return { member, link: (await until('the link', mail)).path };
  };

  /** The link in a digest that turns digests off. */
  const digestLink = async ({ member_id, email }: TestMember, locale: string): Promise<string> => {
    await auth.context.accounts.emails.confirm(member_id, email, auth.context.clock());
    const digest = { member_id, due: new Date().toISOString(), locale, counts: { likes: 1 } };
    await auth.internal('/internal/accounts/send-digest', digest).expect(200);
    const mail = async () => (await auth.mailbox.to(email)).find(({ path }) => path.startsWith('/digest/'));
    return (await until('the digest', mail)).path;
  };

  it.each(['en_US', 'es_ES', 'de_DE', 'fr_FR', 'el_GR', 'tr_TR'])(
    'fit the smallest phone, and have no fault, in %s',
    async (locale) => {
      const { member, link } = await withChange(locale);
      const page = await openPage(browser, { viewport: screens.small });
      const look = async () => ({
        lang: await page.evaluate(() => document.documentElement.lang),
        isTooWide: (await page.evaluate(() => document.documentElement.scrollWidth)) > screens.small.width,
        faults: await faultsOf(page),
      });
      await page.goto(link);
      const found = [await look()];
      await page.goto(await digestLink(member, locale));
      found.push(await look());
      await signIn(page, member);
      found.push(await look());
      const good = { lang: locale.replace('_', '-'), isTooWide: false, faults: [] };
      expect(found).toEqual([good, good, good]);
      await page.context().close();
    },
  );

  it('revert a change of the address without JavaScript', async () => {
    const { member, link } = await withChange('en_US');
    const page = await openPage(browser, { viewport: screens.phone, javaScriptEnabled: false });
    await page.goto(link);
    await page.getByRole('button', { name: 'Undo the change' }).click();
    await page.getByLabel('New password').fill('quiet-meadow-79');
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Your password was changed' }).waitFor();
    const account = await auth.context.accounts.find(member.member_id);
    expect(account).toMatchObject({ email: member.email });
    expect(account).not.toHaveProperty('pending_email');
    await page.context().close();
  });

  it('turn the digest off by keyboard alone, in the dark, without JavaScript', async () => {
    const member = await auth.addMember();
    const link = await digestLink(member, 'en_US');
    const page = await openPage(browser, {
      viewport: screens.phone,
      colorScheme: 'dark',
      javaScriptEnabled: false,
    });
    await page.goto(link);
    expect(auth.profile.digestsStopped).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The summaries are turned off' }).waitFor();
    expect(auth.profile.digestsStopped).toEqual([member.member_id]);
    await page.context().close();
  });

  it('change the password by keyboard alone, and stay signed in', async () => {
    const member = await auth.addMember();
    const page = await openPage(browser, { viewport: screens.desktop, colorScheme: 'dark' });
    await page.goto(`${changePage}?siteid=1`);
    await enter(page, member);
    await page.getByLabel('Current password').focus();
    await page.keyboard.type('not-the-password');
    await page.keyboard.press('Tab');
    await page.keyboard.type('quiet-meadow-80');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    const current = page.getByLabel('Current password');
    expect(await current.getAttribute('aria-invalid')).toBe('true');
    expect(await faultsOf(page)).toEqual([]);
    await current.fill(member.password);
    await page.getByLabel('New password').fill('quiet-meadow-80');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password was changed' }).waitFor();
    await page.goto(changePage);
    expect(await page.getByLabel('Current password').isVisible()).toBe(true);
    await page.context().close();
  });
});
