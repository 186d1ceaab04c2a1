/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { texts } from '../../../src/localization/presentation.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import {
  comeBack,
  faultsOf,
  openPage,
  redirectUri,
  rulesOfColor,
  screens,
  startChromium,
} from '../../support/chromium-under-test.ts';
import type { TestClient } from '../../support/people.ts';
import { codeOf } from '../../support/second-factor.ts';

/** Browsers allow passkeys at localhost without https. */
const issuer = 'http://auth.localhost';

const password = 'copper-lantern-7';
const ownPassword = 'quiet-meadow-77';

const keyOn = async (page: Page) => ((await page.locator('p.code').textContent()) ?? '').replaceAll(' ', '');
const typeCode = async (page: Page, code: string) => {
  // The page is there, with its field in focus.
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
};
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

describe('the second factor of staff in a browser', () => {
  let auth: ServiceUnderTest;
  let browser: Browser;
  let client: TestClient;
  let count = 0;
  beforeAll(async () => {
    auth = await startService('factor-pages', {
      environment: { AUTH_PUBLIC_URL: issuer, STAFF_SECOND_FACTOR: 'required' },
    });
    client = await auth.createClient({ redirect_uri: redirectUri, staff: true });
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
  });

  const open = (options: Parameters<typeof openPage>[1] = {}) =>
    openPage(browser, { baseURL: issuer, viewport: screens.phone, ...options });
  const addStaff = async (initial = false): Promise<string> => {
    count += 1;
    const username = `colleague${count}`;
    const account = { username, password, initial, roles: {} };
    await auth.internal('/internal/staff/create', account).expect(200);
    return username;
  };
  /** Signs in as far as the password leads, by keyboard alone. */
  const enter = async (page: Page, username: string, locale = 'en_US', entered = password) => {
    const query = { client_id: client.client_id, redirect_uri: redirectUri, response_type: 'code' };
    const parameters = new URLSearchParams({ ...query, locale, prompt: 'login' });
    await page.goto(`/authorize?${parameters.toString()}`);
    await page.locator('[name=login]').fill(username);
    await page.locator('[name=password]').fill(entered);
    await page.locator('[name=password]').press('Enter');
  };
  it('is set up and entered by keyboard, with the field in focus', async () => {
    const username = await addStaff();
    const page = await open();
    await enter(page, username);
    await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const key = await keyOn(page);
    await typeCode(page, '000000');
    expect(await page.getByRole('alert').first().textContent()).toContain('is wrong');
    expect(await keyOn(page)).toBe(key);
    await typeCode(page, codeOf(key));
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(8);
    await page.getByRole('link', { name: 'I have stored them' }).press('Enter');
    expect((await comeBack(page)).get('code')).toBeTruthy();

    await enter(page, username);
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await auth.later(30_000, async () => {
      await typeCode(page, codeOf(key, Date.now() + 30_000));
      expect((await comeBack(page)).get('code')).toBeTruthy();
    });
    await page.close();
  });

  it('is a passkey of the device, which then signs in with a button', async () => {
    const username = await addStaff();
    const page = await open();
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await enter(page, username);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('link', { name: 'I have stored them' }).click();
    expect((await comeBack(page)).get('code')).toBeTruthy();
    await session.send('WebAuthn.disable');
    await enter(page, username);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.close();
  });

  it.each(Object.keys(texts))(
    'has pages in %s that axe finds no fault in, on a phone and in the dark',
    async (locale) => {
      const username = await addStaff(true);
      const page = await open();
      const check = async () => {
        await page.emulateMedia({ colorScheme: 'light' });
        expect(await faultsOf(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await faultsOf(page, rulesOfColor)).toEqual([]);
        expect(await widthOf(page)).toBeLessThanOrEqual(screens.phone.width);
      };
      await enter(page, username, locale);
      const newPassword = page.locator('[autocomplete=new-password]');
      for (const chosen of [password, ownPassword]) {
        await newPassword.waitFor();
        await check();
        await newPassword.fill(chosen);
        await newPassword.press('Enter');
        if (chosen === password) await page.getByRole('alert').waitFor();
      }
      await page.locator('.qr').waitFor();
      await check();
      const key = await keyOn(page);
      await typeCode(page, codeOf(key));
      await page.locator('.codes').waitFor();
      await check();
      await page.locator('a.button').click();
      await comeBack(page);
      await enter(page, username, locale, ownPassword);
      await page.locator('details').waitFor();
      await page.locator('summary').click();
      await check();
      await page.close();
    },
  );
});
