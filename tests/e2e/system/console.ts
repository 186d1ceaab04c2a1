import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startChromium } from '../support/chromium.ts';
import { registerMember } from '../support/members.ts';
import type { System } from '../support/system.ts';

/** One journey through the console; `apps/console/tests` has its pages. */
export function consoleCases(system: () => System): void {
  describe('the console', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startChromium();
    });
    afterAll(() => browser?.close());

    it('signs staff in, approves a profile by a key, and shows the decision in the history', async () => {
      const { demo, url, peer } = system();
      await registerMember(url, demo, { siteid: 2, headline: 'Better in person' });
      const login = { username: 'consolemoderator', password: 'copper-lantern-7' };
      await peer('auth').createStaff({ ...login, roles: { '2': ['moderator'] } });
      const page = await browser.newPage({ locale: 'en-US' });
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(`${demo.console_url}/service/queue/profile`);
      await page.locator('input[name=login]').fill(login.username);
      await page.locator('input[name=password]').fill(login.password);
      await page.locator('button[type=submit]').first().click();

      const member = page.getByRole('region', { name: 'To decide' }).getByRole('link');
      const [id] = /\d+(?=\)$)/.exec((await member.textContent()) ?? '') ?? [];
      await page.keyboard.press('a');
      await page.getByRole('button', { name: /^Undo/ }).waitFor();
      await page.goto(`${demo.console_url}/service/members/${id}`);
      await page.getByRole('region', { name: 'Decisions' }).getByText('Profile approved').waitFor();
      expect(faults).toEqual([]);
      await page.close();
    });
  });
}
