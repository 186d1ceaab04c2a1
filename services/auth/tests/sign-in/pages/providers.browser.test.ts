/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Browser, Page } from 'playwright-core';
import { startService, type ServiceUnderTest } from '../../harness.ts';
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
import { press, type, typeRegistration } from '../../support/keyboard.ts';
import type { TestClient } from '../../support/people.ts';
import { linksOf, newPerson, startProviders, type TestProviders } from '../../support/providers.ts';

/** Problems of a page on a phone: faults, and content wider than the screen. */
const problemsOf = async (page: Page) => [
  ...(await faultsOf(page)),
  ...((await page.evaluate(() => document.documentElement.scrollWidth)) > screens.phone.width
    ? ['too wide']
    : []),
];

/** From the login page through the page of a provider, and back to a page of ours with this heading. */
const visit = async (page: Page, provider: 'apple' | 'google', heading?: string) => {
  await press(page, `a[href*="/identity/${provider}"]`);
  await page.waitForURL((url) => url.hostname === '127.0.0.1');
  await press(page, 'button');
  if (heading !== undefined) await page.getByRole('heading', { name: heading }).waitFor();
};

describe('signing in with a provider in a browser', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  let browser: Browser;
  let client: TestClient;
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startService('provider-pages', { environment: providers.settings });
    client = await auth.createClient({ redirect_uri: redirectUri });
    browser = await startChromium(auth);
    for (const provider of [providers.apple, providers.google]) provider.asks = true;
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
    providers?.close();
  });

  /** The member whom the app gets tokens for. */
  const memberOf = async (page: Page) => {
    const code = (await comeBack(page)).get('code') ?? '';
    const { body } = await auth.token({ ...client, grant_type: 'authorization_code', code }).expect(200);
    return String(decodeJwt((body as { access_token: string }).access_token).sub);
  };
  const phone = { viewport: screens.phone };

  it.each(['apple', 'google'] as const)(
    'registers somebody new with what the site still needs, and signs them in from then on: %s',
    async (provider) => {
      const { email = '' } = newPerson(providers[provider]);
      const page = await openPage(browser, phone);
      await begin(page, client, { siteid: '1' });
      expect(await problemsOf(page)).toEqual([]);
      await visit(page, provider, 'Link your account');
      expect(await problemsOf(page)).toEqual([]);
      await press(page, 'a[href*="/register"]');
      await page.locator('[name=username]').waitFor();
      expect(await page.locator('[name=email]').inputValue()).toBe(email);
      expect(await problemsOf(page)).toEqual([]);
      await typeRegistration(page, { username: `${provider}newcomer` });
      await press(page, 'button[type=submit]');
      const member = await memberOf(page);
      expect(await linksOf(auth, member)).toMatchObject([{ provider }]);
      await page.context().close();

      const other = await openPage(browser, phone);
      await begin(other, client, { siteid: '1' });
      await visit(other, provider);
      expect(await memberOf(other)).toBe(member);
      await other.context().close();
    },
  );

  it('links an existing account once its password is entered', async () => {
    newPerson(providers.apple);
    const member = await auth.addMember();
    const page = await openPage(browser, { ...phone, colorScheme: 'dark' });
    await begin(page, client, { siteid: '1' });
    await visit(page, 'apple', 'Link your account');
    expect(await faultsOf(page, rulesOfColor)).toEqual([]);
    const login = page.getByLabel('Username or email');
    await login.fill('');
    await type(page, 'login', member.username);
    await type(page, 'password', 'not the password');
    await page.keyboard.press('Enter');
    await page.locator('[aria-invalid=true]').first().waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await type(page, 'password', member.password);
    await page.keyboard.press('Enter');
    expect(await memberOf(page)).toBe(member.member_id);
    expect(await linksOf(auth, member.member_id)).toMatchObject([{ provider: 'apple' }]);
    await page.context().close();
  });

  it('says on the login page that a provider is unavailable', async () => {
    const page = await openPage(browser, phone);
    await begin(page, client, { siteid: '1' });
    await auth.later(2 * 60 * 60_000, async () => {
      providers.google.state = 'away';
      await press(page, 'a[href*="/identity/google"]');
      await page.getByRole('alert').first().waitFor();
      providers.google.state = 'up';
    });
    // Nothing was entered that could be wrong.
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
    expect(await problemsOf(page)).toEqual([]);
    await page.context().close();
  });
});
