/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addStaff,
  comeBack,
  enter,
  heading,
  openAs,
  openTab,
  settings,
  signIn,
  type Login,
  type System,
} from '../support/console-under-test.ts';

/** Tests of sign-in and sign-out. */
export function signInCases(system: () => System): void {
  describe('the sign-in of the console', () => {
    let searcher: Login;
    beforeAll(async () => {
      searcher = await addStaff(system().stack, { '*': ['search'] });
    });

    it('signs staff in on the hosted pages and shows the page that was asked for', async () => {
      const { page, problems } = await openTab(system().browser);
      await page.goto(`${system().base}/search/settings?from=link#there`);
      await page.waitForURL(/\/login\//);
      await enter(page, searcher);
      await settings(page).waitFor();
      expect(page.url()).toBe(`${system().base}/search/settings?from=link#there`);
      await page.getByRole('cell', { name: 'as configured' }).waitFor();
      expect(problems).toEqual([]);
    });

    it('keeps no token where another page or a later start of the browser finds it', async () => {
      const { page } = await openAs(system(), '', searcher);
      const kept = await page.evaluate(() =>
        [localStorage, sessionStorage].flatMap((one) => Object.entries(one)).join(),
      );
      const cookies = JSON.stringify(await page.context().cookies());
      for (const text of [kept, cookies, page.url()])
        expect(text).not.toMatch(/eyJ[\w-]+\.eyJ|code=|verifier/);
      expect(await page.evaluate(() => document.cookie)).toBe('');
    });

    it('signs in again without a form after a reload, on the same page', async () => {
      const { page, problems } = await openAs(system(), '/search/settings', searcher);
      await page.reload();
      await settings(page).waitFor();
      expect(page.url()).toBe(`${system().base}/search/settings`);
      expect(problems).toEqual([]);
    });

    it('shows in the menu what the roles allow; the services refuse the rest', async () => {
      const nobody = await addStaff(system().stack, {});
      const { page } = await openAs(system(), '', nobody);
      await heading(page, 'Welcome').waitFor();
      expect(await page.getByRole('navigation').getByRole('link').count()).toBe(0);
      await page.goto(`${system().base}/search/settings`);
      await page.getByRole('alert').filter({ hasText: 'no role for this' }).first().waitFor();
      const other = await openTab(system().browser);
      await signIn(other.page, system().base, searcher);
      await other.page.getByRole('link', { name: 'Settings in force' }).waitFor();
      expect(await other.page.getByRole('link', { name: 'Find a member' }).count()).toBe(0);
    });

    it('signs no member in', async () => {
      const [member] = system().stack.demo.members;
      if (!member) throw new Error('the stack has no member');
      const { page } = await openTab(system().browser);
      await page.goto(system().base);
      await enter(page, member);
      await page.getByText('do not match').waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/login\//);
    });

    it('signs out: of the page at once, then of the browser', async () => {
      const { page } = await openAs(system(), '', searcher);
      await page.getByRole('button', { name: 'Account' }).click();
      const revoked = page.waitForResponse((answer) => answer.url().endsWith('/revoke'));
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      expect((await revoked).status()).toBe(200);
      await page.waitForURL(/\/session\/end/);
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'You are signed out.' }).waitFor();
      expect(page.url()).toBe(`${system().base}/signed-out`);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('input[name=password]').waitFor();
    });

    it('hides everything once the sign-in has ended on the server', async () => {
      const leaving = await addStaff(system().stack, { '*': ['search'] });
      const { page, problems } = await openTab(system().browser);
      await page.clock.install();
      await signIn(page, `${system().base}/search/settings`, leaving);
      const live = page.getByRole('cell', { name: 'as configured' });
      await live.waitFor();
      await system().stack.peer('auth').disableStaff({ username: leaving.username, disabled: true });
      await comeBack(page);
      await page.getByRole('status').filter({ hasText: 'Your sign-in has ended.' }).waitFor();
      expect([await live.count(), problems]).toEqual([0, []]);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('input[name=password]').waitFor();
    });

    it('signs the other tabs of the browser out too', async () => {
      const { page } = await openAs(system(), '/search/settings', searcher);
      const second = await page.context().newPage();
      await second.goto(`${system().base}/search/synonyms`);
      await heading(second, 'Synonyms').waitFor();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await second.getByRole('status').filter({ hasText: 'Your sign-in has ended.' }).waitFor();
      expect(await heading(second, 'Synonyms').count()).toBe(0);
    });

    it('keeps who only types signed in', async () => {
      const { page } = await openTab(system().browser);
      await page.clock.install();
      await signIn(page, `${system().base}/search/synonyms`, searcher);
      await page.getByLabel('New language').fill('el');
      const refreshed = page.waitForResponse((answer) => answer.url().endsWith('/token'));
      await page.clock.fastForward('10:01');
      expect((await refreshed).status()).toBe(200);
      expect(await page.getByLabel('New language').inputValue()).toBe('el');
    });

    it('warns an idle person, and signs them out after half an hour', async () => {
      const { page } = await openTab(system().browser);
      await page.clock.install();
      await signIn(page, system().base, searcher);
      const warning = page.getByRole('dialog').getByText('You will be signed out in two minutes');
      await page.clock.fastForward('28:01');
      await warning.waitFor();
      await page.keyboard.press('Shift');
      await warning.waitFor({ state: 'detached' });
      await page.clock.fastForward('05:00');
      await settings(page).waitFor();
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
      const { page, problems } = await openTab(system().browser);
      const asked: string[] = [];
      page.on('request', (one) => asked.push(one.url()));
      await page.goto(`${system().base}/signed-in${query}`);
      await page.getByRole('status').filter({ hasText: 'did not succeed' }).waitFor();
      expect(page.url()).toBe(system().base);
      expect(asked.filter((url) => url.endsWith('/token') || !url.startsWith(system().stack.url))).toEqual(
        [],
      );
      await page.getByRole('button', { name: 'Sign in' }).click();
      await enter(page, searcher);
      await settings(page).waitFor();
      expect(problems).toEqual([]);
    });

    it('runs no script that somebody gets into the page, and says so', async () => {
      const { page, problems } = await openAs(system(), '', searcher);
      await page.evaluate(() => {
        document.body.insertAdjacentHTML(
          'beforeend',
          '<img src="data:," onerror="document.title = `owned`">',
        );
        const script = document.createElement('script');
        script.textContent = 'document.title = `owned`';
        document.body.append(script);
      });
      await page.evaluate('setTimeout("document.title = `owned`")');
      await expect(page.evaluate(() => fetch('https://evil.example/'))).rejects.toThrow('Failed to fetch');
      const asked = await page.evaluate(() => fetch('/authorize?prompt=none').then(({ status }) => status));
      expect(asked).toBe(403);
      expect(await page.title()).toBe('Settings in force · Covalence console');
      expect(problems.length).toBeGreaterThanOrEqual(3);
    });
  });
}
