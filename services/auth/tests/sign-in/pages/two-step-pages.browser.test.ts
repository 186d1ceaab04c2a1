/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { texts } from '../../../src/localization/presentation.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import {
  faultsOf,
  openPage,
  rulesOfColor,
  screens,
  startChromium,
} from '../../support/chromium-under-test.ts';
import { codeOf } from '../../support/second-factor.ts';

const path = '/account/two-step';
const stepMs = 30_000;

const keyOn = async (page: Page) => ((await page.locator('p.code').textContent()) ?? '').replaceAll(' ', '');
const typeCode = async (page: Page, code: string) => {
  // The page is there, with its field in focus.
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
};

describe('two-step sign-in in a browser', () => {
  let auth: ServiceUnderTest;
  let browser: Browser;
  beforeAll(async () => {
    auth = await startService('two-step-pages');
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
  });

  /** Opens the page as a new member in a new browser, who enters the credentials by keyboard. */
  const open = async (locale: string) => {
    const { member_id, id, username, password } = await auth.addMember();
    auth.profile.members.set(member_id, { id, deactivated: false, suspended: false, locale });
    const page = await openPage(browser, { viewport: screens.phone });
    const enter = async () => {
      await page.goto(`${path}?siteid=1&locale=${locale}`);
      await page.locator('[name=login]').fill(username);
      await page.locator('[name=password]').fill(password);
      await page.locator('[name=password]').press('Enter');
    };
    await enter();
    await page.locator('.qr').waitFor();
    return { page, enter };
  };

  it('is turned on, asked for, and turned off by keyboard, with the field in focus', async () => {
    const { page, enter } = await open('en_US');
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const key = await keyOn(page);
    await typeCode(page, '000000');
    expect(await page.getByRole('alert').textContent()).toContain('is wrong');
    expect(await keyOn(page)).toBe(key);
    await typeCode(page, codeOf(key));
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const codes = await page.getByRole('listitem').allTextContents();
    await page.getByRole('link', { name: 'I have stored them' }).press('Enter');
    await page.getByText('Recovery codes left: 8').waitFor();

    await page.context().clearCookies();
    await enter();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await auth.later(stepMs, async () => {
      await typeCode(page, codeOf(key, Date.now() + stepMs));
      await page.getByText('Recovery codes left: 8').waitFor();
    });
    await page.getByLabel('Code').fill('AAAA-BBBB');
    await page.getByRole('button', { name: 'Turn off two-step sign-in' }).press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('is wrong');
    await page.keyboard.type(codes[0] ?? '');
    await page.getByRole('button', { name: 'Turn off two-step sign-in' }).press('Enter');
    await page.locator('.qr').waitFor();
    await page.context().close();
  });

  it.each(Object.keys(texts))(
    'has pages in %s that axe finds no fault in, on a phone and in the dark',
    async (locale) => {
      const { page } = await open(locale);
      const check = async () => {
        await page.emulateMedia({ colorScheme: 'light' });
        expect(await faultsOf(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await faultsOf(page, rulesOfColor)).toEqual([]);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBeLessThanOrEqual(screens.phone.width);
      };
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(locale.replace('_', '-'));
      await check();
      await typeCode(page, codeOf(await keyOn(page)));
      await page.locator('a.button').click();
      await page.locator('button[value=off]').waitFor();
      await check();
      await page.context().close();
    },
  );
});
