import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestClient } from '../../support/people.ts';
import {
  begin,
  comeBack,
  faultsOf,
  openPage,
  redirectUri,
  screens,
  startChromium,
} from '../../support/chromium-under-test.ts';

const enter = async (page: Page, login: string, password: string) => {
  await page.locator('#login').fill(login);
  await page.locator('#password').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForLoadState();
};
const looks = async (page: Page) => {
  const { lang, width } = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    width: document.documentElement.scrollWidth,
  }));
  return { lang, isTooWide: width > screens.small.width, faults: await faultsOf(page) };
};

describe('the pages of a device link', () => {
  let auth: ServiceUnderTest;
  let browser: Browser;
  let client: TestClient;
  beforeAll(async () => {
    auth = await startService('devicepages', { environment: { LOGIN_FAILURES_PER_ACCOUNT: '1' } });
    client = await auth.createClient({ redirect_uri: redirectUri });
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
  });

  it.each([
    ['en_US', 'light', 'Sign in on your device'],
    ['es_ES', 'dark', 'Entra en tu dispositivo'],
    ['de_DE', 'light', 'Auf deinem Gerät anmelden'],
    ['fr_FR', 'dark', 'Connectez-vous sur votre appareil'],
    ['el_GR', 'light', 'Συνδεθείτε στη συσκευή σας'],
    ['tr_TR', 'dark', 'Cihazınızda oturum açın'],
  ] as const)(
    'lead a member in by keyboard, fit the smallest phone and have no fault, in %s and %s colors',
    async (locale, colorScheme, subject) => {
      const member = await auth.addMember();
      const options = { viewport: screens.small, colorScheme };
      const [page, elsewhere] = [await openPage(browser, options), await openPage(browser, options)];
      const found: Record<string, unknown> = {};
      await begin(page, client, { locale, siteid: '1' });
      await enter(page, member.username, 'not-the-password');
      await enter(page, member.username, member.password);
      await page.locator('form[action$="/device"]').waitFor();
      found['limited'] = await looks(page);
      await page.locator('form[action$="/device"] button').focus();
      await page.keyboard.press('Enter');
      await page.locator('form').waitFor({ state: 'detached' });
      found['sent'] = await looks(page);
      const { path } = await auth.mailbox.wait(member.email, subject);
      await elsewhere.goto(path);
      found['elsewhere'] = await looks(elsewhere);
      await page.goto(path);
      found['link'] = await looks(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('#password').waitFor();
      await enter(page, member.username, member.password);
      expect((await comeBack(page)).get('code')).toBeTruthy();
      const good = { lang: locale.replace('_', '-'), isTooWide: false, faults: [] };
      expect(found).toEqual({ limited: good, sent: good, elsewhere: good, link: good });
      await Promise.all([page, elsewhere].map((one) => one.context().close()));
    },
  );
});
