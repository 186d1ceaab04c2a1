/// <reference lib="dom" />
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  addStaff,
  enter,
  faultsOf,
  openTab,
  screens,
  signIn,
  startBrowser,
  tooWide,
  type Login,
} from './support/console-under-test.ts';

/** Bytes on the wire that the first page may take. */
const pageBudget = 400 * 1024;

const languages = {
  'de-DE': 'Geltende Einstellungen',
  'el-GR': 'Ρυθμίσεις σε ισχύ',
  'en-US': 'Settings in force',
  'es-ES': 'Ajustes vigentes',
  'fr-FR': 'Réglages en vigueur',
  'tr-TR': 'Geçerli ayarlar',
};

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const settings = (page: Page) => heading(page, 'Settings in force');

describe('the console', () => {
  let stack: StackUnderTest;
  let browser: Browser;
  let base: string;
  let searcher: Login;
  beforeAll(async () => {
    stack = await startStackUnderTest({ members: 20 });
    base = stack.demo.console_url;
    searcher = await addStaff(stack, { '*': ['search'] });
    browser = await startBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  it('signs staff in on the hosted pages and shows the page that was asked for', async () => {
    const { page, problems } = await openTab(browser);
    await page.goto(`${base}/search/settings?from=link#there`);
    await page.waitForURL(/\/login\//);
    await enter(page, searcher);
    await settings(page).waitFor();
    expect(page.url()).toBe(`${base}/search/settings?from=link#there`);
    await page.getByRole('cell', { name: 'as configured' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps no token where another page or a later start of the browser finds it', async () => {
    const { page } = await openTab(browser);
    await signIn(page, base, searcher);
    const kept = await page.evaluate(() =>
      [localStorage, sessionStorage].flatMap((one) => Object.entries(one)).join(),
    );
    const cookies = JSON.stringify(await page.context().cookies());
    for (const text of [kept, cookies, page.url()]) expect(text).not.toMatch(/eyJ|code=|verifier/);
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  it('signs in again without a form after a reload, on the same page', async () => {
    const { page, problems } = await openTab(browser);
    await signIn(page, `${base}/search/settings`, searcher);
    await page.reload();
    await settings(page).waitFor();
    expect(page.url()).toBe(`${base}/search/settings`);
    expect(problems).toEqual([]);
  });

  it('shows in the menu what the roles allow; the services refuse the rest', async () => {
    const moderator = await addStaff(stack, { '2': ['moderator'] });
    const { page } = await openTab(browser);
    await signIn(page, base, moderator);
    await heading(page, 'Welcome').waitFor();
    expect(await page.getByRole('navigation').getByRole('link').count()).toBe(0);
    await page.goto(`${base}/search/settings`);
    await page.getByRole('alert').filter({ hasText: 'no role for this' }).first().waitFor();
    const other = await openTab(browser);
    await signIn(other.page, base, searcher);
    await other.page.getByRole('link', { name: 'Settings in force' }).waitFor();
  });

  it('signs no member in', async () => {
    const [member] = stack.demo.members;
    if (!member) throw new Error('the stack has no member');
    const { page } = await openTab(browser);
    await page.goto(base);
    await enter(page, member);
    await page.getByText('do not match').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/login\//);
  });

  it('signs out: of the page at once, then of the browser', async () => {
    const { page } = await openTab(browser);
    await signIn(page, base, searcher);
    await page.getByRole('button', { name: 'Account' }).click();
    const revoked = page.waitForResponse((answer) => answer.url().endsWith('/revoke'));
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    expect((await revoked).status()).toBe(200);
    await page.waitForURL(/\/session\/end/);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'You are signed out.' }).waitFor();
    expect(page.url()).toBe(`${base}/signed-out`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('input[name=password]').waitFor();
  });

  it('hides everything once the sign-in has ended on the server', async () => {
    const leaving = await addStaff(stack, { '*': ['search'] });
    const { page, problems } = await openTab(browser);
    await page.clock.install();
    await signIn(page, `${base}/search/settings`, leaving);
    const live = page.getByRole('cell', { name: 'as configured' });
    await live.waitFor();
    await stack.peer('auth').disableStaff({ username: leaving.username, disabled: true });
    // Who comes back to the tab sees fresh data.
    await page.clock.fastForward(11_000);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('status').filter({ hasText: 'Your sign-in has ended.' }).waitFor();
    expect([await live.count(), problems]).toEqual([0, []]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('input[name=password]').waitFor();
  });

  it('signs out who has not touched it for half an hour', async () => {
    const { page } = await openTab(browser);
    await page.clock.install();
    await signIn(page, base, searcher);
    const revoked = page.waitForResponse((answer) => answer.url().endsWith('/revoke'));
    await page.clock.fastForward('30:01');
    await page.getByRole('status').filter({ hasText: 'Your sign-in has ended.' }).waitFor();
    expect((await revoked).status()).toBe(200);
  });

  it.each([
    ['without a sign-in of this tab', '?code=stolen&state=x&iss=y'],
    ['that was canceled', '?error=access_denied&state=x'],
    ['with another page to return to', '?code=x&state=y&return_to=https://evil.example'],
  ])('does not accept an answer %s, and offers the sign-in', async (_what, query) => {
    const { page, problems } = await openTab(browser);
    const asked: string[] = [];
    page.on('request', (one) => asked.push(one.url()));
    await page.goto(`${base}/signed-in${query}`);
    await page.getByRole('status').filter({ hasText: 'did not succeed' }).waitFor();
    expect(page.url()).toBe(base);
    expect(asked.filter((url) => url.endsWith('/token') || !url.startsWith(stack.url))).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await enter(page, searcher);
    await settings(page).waitFor();
    expect(problems).toEqual([]);
  });

  it('runs no script that somebody gets into the page, and says so', async () => {
    const { page, problems } = await openTab(browser);
    await signIn(page, base, searcher);
    await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="document.title = `owned`">');
      const script = document.createElement('script');
      script.textContent = 'document.title = `owned`';
      document.body.append(script);
    });
    await page.evaluate('setTimeout("document.title = `owned`")');
    await expect(page.evaluate(() => fetch('https://evil.example/'))).rejects.toThrow('Failed to fetch');
    expect(await page.title()).toBe('Settings in force · Covalence console');
    expect(problems.length).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.entries(languages))('speaks %s', async (locale, title) => {
    const { page } = await openTab(browser, { locale });
    await signIn(page, base, searcher);
    await heading(page, title).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    const untranslated = page.getByText(/^[a-z]+\.[a-z.]+$/i);
    expect(await untranslated.count()).toBe(0);
  });

  it('stays small', async () => {
    const { page } = await openTab(browser);
    let bytes = 0;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await signIn(page, base, searcher);
    await page.getByRole('cell', { name: 'as configured' }).waitFor();
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(pageBudget);
  });

  it('is used by keyboard alone, and remembers the chosen language', async () => {
    const { page } = await openTab(browser);
    await page.goto(base);
    await page.locator('input[name=login]').focus();
    await page.keyboard.type(searcher.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(searcher.password);
    await page.keyboard.press('Enter');
    await settings(page).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('Settings in force');
    await page.keyboard.press('Shift+Tab');
    for (let steps = 0; steps < 10 && (await focused()) !== 'Account'; steps += 1)
      await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Deutsch' }).waitFor();
    for (let steps = 0; steps < 10 && (await focused()) !== 'Deutsch'; steps += 1)
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Geltende Einstellungen').waitFor();
    await page.reload();
    await heading(page, 'Geltende Einstellungen').waitFor();
  });

  describe.each(Object.entries(screens))('on a %s', (screen, viewport) => {
    it.each(['light', 'dark'] as const)('is accessible and fits in %s colors', async (colorScheme) => {
      const { page, problems } = await openTab(browser, { viewport, colorScheme });
      await signIn(page, base, searcher);
      await page.getByRole('cell', { name: 'as configured' }).waitFor();
      const shots = process.env['SCREENSHOTS'];
      if (shots) await page.screenshot({ path: `${shots}/settings-${screen}-${colorScheme}.png` });
      expect(await faultsOf(page)).toEqual([]);
      expect(await tooWide(page)).toBe(0);
      if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Settings in force' }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.goto(`${base}/signed-out`);
      await page.getByRole('status').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      expect(problems).toEqual([]);
    });
  });
});
