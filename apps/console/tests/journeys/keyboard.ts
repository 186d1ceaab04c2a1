/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from '@jest/globals';
import { menu } from '../../src/layout/menu.ts';
import {
  addStaff,
  heading,
  openAs,
  openTab,
  screens,
  settings,
  type Login,
  type System,
} from '../support/console-under-test.ts';
import { walkByTab, type Walk } from '../support/walk-by-tab.ts';

const paths = menu.flatMap(({ entries }) => entries.map(({ to }) => to));

/** Tests of the console by keyboard alone. */
export function keyboardCases(system: () => System): void {
  describe('by keyboard, the console', () => {
    let login: Login;
    beforeAll(async () => {
      login = await addStaff(system().stack, { '*': ['search'] });
    });

    it('is used by keyboard alone, and remembers the chosen language', async () => {
      const { page } = await openTab(system().browser);
      await page.goto(system().base);
      await page.locator('input[name=login]').focus();
      await page.keyboard.type(login.username);
      await page.keyboard.press('Tab');
      await page.keyboard.type(login.password);
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

    it('keeps the closed menu of a phone out of reach, and closes it by Escape', async () => {
      const { page } = await openAs(system(), '/search/settings', login, { viewport: screens.phone });
      const reachable = () =>
        page.evaluate(() => ['nav', 'main'].filter((one) => document.querySelector(`${one}:not([inert])`)));
      expect(await reachable()).toEqual(['main']);
      await page.getByRole('button', { name: 'Account' }).focus();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('nav'))).toBeNull();
      await page.getByRole('button', { name: 'Menu' }).click();
      expect(await reachable()).toEqual(['nav']);
      await page.keyboard.press('Escape');
      expect(await reachable()).toEqual(['main']);
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Menu');
    });

    it('leads to every control of each page of the menu, and shows which one has the focus', async () => {
      const admin = await addStaff(system().stack, { '*': ['admin'] });
      const { page } = await openAs(system(), '/', admin);
      const walks: [string, Walk][] = [];
      for (const path of paths) {
        await page.goto(system().base + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        await page.getByRole('progressbar', { name: 'Loading' }).waitFor({ state: 'detached' });
        walks.push([path, await walkByTab(page)]);
      }
      const faultless = { isTrapped: false, unreached: [], unshown: [] };
      expect(walks).toEqual(paths.map((path) => [path, { ...faultless, controls: expect.any(Number) }]));
      // More than the links of the menu.
      for (const [, { controls }] of walks) expect(controls).toBeGreaterThan(paths.length);
    });
  });
}
