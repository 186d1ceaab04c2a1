/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { resetPath } from '../../../src/sign-in/password/reset-link.ts';
import { beginRecovery } from '../../../src/sign-in/methods/recovery.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import {
  begin,
  comeBack,
  enter,
  faultsOf,
  openPage,
  redirectUri,
  screens,
  startChromium,
} from '../../support/chromium-under-test.ts';
import { startProviders, storeLink, type TestProviders } from '../../support/providers.ts';
import type { TestClient } from '../../support/people.ts';

describe('the page of the account in a browser', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  let browser: Browser;
  let client: TestClient;
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startService('accountbrowser', { environment: providers.settings });
    client = await auth.createClient({ redirect_uri: redirectUri });
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
    providers?.close();
  });

  it.each([
    ['on a phone', { viewport: screens.phone }, 'en_US', 'Your account'],
    ['in the dark, in German', { viewport: screens.desktop, colorScheme: 'dark' }, 'de_DE', 'Dein Konto'],
    [
      'without JavaScript, in Greek',
      { viewport: screens.small, javaScriptEnabled: false },
      'el_GR',
      'Ο λογαριασμός σας',
    ],
  ] as const)('is readable and has no faults %s', async (_where, options, locale, title) => {
    const member = await auth.addMember();
    await storeLink(auth, member, member.member_id);
    const page = await openPage(browser, options);
    // Axe runs as a script of the page.
    const faults = 'javaScriptEnabled' in options ? () => Promise.resolve([]) : faultsOf;
    await begin(page, client, { siteid: '1', device_name: 'Ada’s phone' });
    expect(await page.getByRole('link', { name: 'Continue with Google' }).isVisible()).toBe(true);
    expect(await faults(page)).toEqual([]);
    await enter(page, member);
    const code = (await comeBack(page)).get('code') ?? '';
    const { client_id, client_secret } = client;
    const app = { client_id, client_secret, redirect_uri: redirectUri };
    await auth.token({ ...app, grant_type: 'authorization_code', code }).expect(200);
    await page.goto(`/account?locale=${locale}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
    expect(await faults(page)).toEqual([]);
    const widths = await page.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth]);
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
    const screenshots = process.env['SCREENSHOTS'];
    for (const one of ['email', 'export', 'delete']) {
      await page.locator(`a[href^="/account/${one}"]`).click();
      await page.locator('form').waitFor();
      expect([one, await faults(page)]).toEqual([one, []]);
      const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
      expect(wide).toBeLessThanOrEqual(0);
      if (screenshots) await page.screenshot({ path: `${screenshots}/${one}-${locale}.png`, fullPage: true });
      await page.locator('.aside a').click();
    }
    if (screenshots) await page.screenshot({ path: `${screenshots}/account-${locale}.png`, fullPage: true });
    // By keyboard alone: the button that ends the sign-in of the app.
    const end = page.locator('button[value=end]');
    await end.focus();
    await page.keyboard.press('Enter');
    await end.waitFor({ state: 'detached' });
    await page.context().close();
  });

  it.each([
    ['on a phone', { viewport: screens.phone }, 'en_US'],
    ['in the dark, in French', { viewport: screens.desktop, colorScheme: 'dark' }, 'fr_FR'],
  ] as const)(
    'shows and cancels a recovery that has begun, without faults %s',
    async (_where, options, locale) => {
      const member = await auth.addMember();
      Object.assign(auth.profile.members.get(member.member_id) ?? {}, { locale });
      const { accounts } = auth.context;
      const account = await accounts.find(member.member_id);
      if (!account) throw new Error('no such account');
      const recovery = await beginRecovery(account, auth.context);
      await auth.context.afterResponse.drained();
      const mails = await auth.mailbox.to(member.email);
      const cancel = mails.find(({ path }) => path.endsWith('/cancel'))?.path ?? '';
      const early = await resetPath(account, locale, auth.context, recovery);
      const page = await openPage(browser, options);
      await begin(page, client, { siteid: '1' });
      await enter(page, member);
      await comeBack(page);
      const paths = { early, cancel, recovery: `/account?locale=${locale}` };
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(path);
        expect([name, await faultsOf(page)]).toEqual([name, []]);
        const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
        expect(wide).toBeLessThanOrEqual(0);
        const folder = process.env['SCREENSHOTS'];
        if (folder) await page.screenshot({ path: `${folder}/${name}-${locale}.png`, fullPage: true });
      }
      const keep = page.locator('button[value=keep]');
      expect(await keep.count()).toBe(0);
      // As if the sign-in had been one with a passkey.
      const { redis, config } = auth.context;
      for (const key of await redis.keys(`${config.NAMESPACE}:auth:Session:*`)) {
        const { payload = '' } = await redis.hgetall(key);
        await redis.hset(key, 'payload', payload.replace('"pwd"', '"pop"'));
      }
      await page.reload();
      expect(await faultsOf(page)).toEqual([]);
      await keep.focus();
      await page.keyboard.press('Enter');
      await keep.waitFor({ state: 'detached' });
      expect((await accounts.find(member.member_id))?.recovery).toBeUndefined();
      await page.context().close();
    },
  );
});
