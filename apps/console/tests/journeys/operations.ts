/// <reference lib="dom" />
import { spoilHistory } from '@covalence/testing/spoil-history';
import { describe, expect, it } from '@jest/globals';
import { addStaff, heading, openAs, type System } from '../support/console-under-test.ts';
import { registerMember } from '../support/members.ts';

/** Milliseconds in which a page that renews itself shows something new. */
const renewedMs = 25_000;

/** The work of operators. */
export function operationsCases(system: () => System): void {
  describe('the pages of operators', () => {
    it('find a dead letter, read it, replay it, and it is gone', async () => {
      const { stack } = system();
      const ada = await registerMember(system(), { siteid: 1 });
      const ben = await registerMember(system(), {
        siteid: 1,
        gender: 'Male',
        genderpreference: 'Female',
      });
      const disconnect = await ada.connect();
      const mend = await spoilHistory(stack, ada.id);
      const { page, problems } = await openAs(
        system(),
        '/operators/status',
        await addStaff(stack, { '*': ['operator'] }),
      );
      const services = page.getByRole('region', { name: 'Services' });
      for (const service of ['auth', 'profile', 'search', 'billing', 'updates'])
        await services.getByRole('row', { name: new RegExp(`^${service} ready`) }).waitFor();
      await ben.call('/like', { profileid: ada.id });
      // The page renews itself.
      const problem = page.getByText(/^Dead letters of updates\.live: \d+$/);
      await problem.waitFor({ timeout: renewedMs });
      await page.getByRole('link', { name: 'What to do: covalencedeadletters' }).click();
      await page.getByRole('heading', { name: 'CovalenceDeadLetters' }).waitFor();
      await page.waitForFunction(() => {
        const top = document.getElementById('covalencedeadletters')?.getBoundingClientRect().top;
        return top !== undefined && Math.round(top) >= 0 && top < window.innerHeight;
      });
      await mend();
      await page.getByRole('link', { name: 'Dead letters', exact: true }).click();
      await heading(page, 'Dead letters').waitFor();
      const row = page
        .getByRole('row')
        .filter({ hasText: 'pair.liked' })
        .filter({ hasText: String(ben.id) });
      await row.getByRole('button', { name: /^Read/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('row', { name: `Member ${ben.id}` }).waitFor();
      await dialog.getByRole('row', { name: /^Error .*WRONGTYPE/ }).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row.getByRole('checkbox').press('Space');
      await page.getByRole('button', { name: 'Replay (1) …' }).click();
      await dialog.getByRole('button', { name: 'Replay (1)', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'Replayed: 1.' }).waitFor();
      await row.waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
      disconnect();
    });
  });
}
