/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { typeRegistration } from '../../support/keyboard.ts';
import type { TestClient } from '../../support/people.ts';
import {
  begin,
  comeBack,
  faultsOf,
  openPage,
  redirectUri,
  rulesOfColor,
  screens,
  startChromium,
} from '../../support/chromium-under-test.ts';

const create = { prompt: 'create', siteid: '1' };

describe('the registration page in a browser', () => {
  let auth: ServiceUnderTest;
  let browser: Browser;
  let client: TestClient;
  beforeAll(async () => {
    auth = await startService('registrationpages');
    client = await auth.createClient({ redirect_uri: redirectUri });
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
  });

  it('registers with the keyboard alone, and comes back to the app', async () => {
    const page = await openPage(browser, { viewport: screens.desktop });
    await begin(page, client, create);
    await typeRegistration(page, { username: 'keyboarder', email: 'keyboarder@mail.example' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect((await comeBack(page)).get('code')).toBeTruthy();
    await page.context().close();
  });

  it.each(['en_US', 'es_ES', 'de_DE', 'fr_FR', 'el_GR', 'tr_TR'])(
    'fits the smallest phone, has no fault, and puts the focus on the first field in error, in %s',
    async (locale) => {
      auth.profile.register = () =>
        Promise.resolve({ failed: { username: 10101, email: 10302 }, abandoned: false });
      const page = await openPage(browser, { viewport: screens.small });
      await begin(page, client, { ...create, locale });
      expect(await faultsOf(page)).toEqual([]);
      await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''));
      await page.locator('button[type=submit]').click();
      await page.locator('[aria-invalid=true]').first().waitFor();
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('username');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([await faultsOf(page), wide]).toEqual([[], screens.small.width]);
      expect(await page.locator('html').getAttribute('lang')).toBe(locale.replace('_', '-'));
      // No label is left in English.
      const labels = await page.locator('label').allTextContents();
      expect(labels.includes('Looking for')).toBe(locale === 'en_US');
      await page.context().close();
    },
  );

  it('has enough contrast in the dark', async () => {
    const page = await openPage(browser, { viewport: screens.phone, colorScheme: 'dark' });
    await begin(page, client, create);
    expect(await faultsOf(page, rulesOfColor)).toEqual([]);
    await page.context().close();
  });
});
