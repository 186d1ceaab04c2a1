/// <reference lib="dom" />
import { spoilHistory } from '@covalence/testing/spoil-history';
import { describe, expect, it } from '@jest/globals';
import { addStaff, heading, openAs, type System } from '../support/console-under-test.ts';
import { registerMember } from '../support/members.ts';
import { beginJob } from '../support/timed-job.ts';

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
      const job = beginJob(page);
      await job.picture('operations-light', 'The state of the system: a problem, and what to do about it');
      await job.click(page.getByRole('link', { name: 'What to do: covalencedeadletters' }));
      await page.getByRole('heading', { name: 'CovalenceDeadLetters' }).waitFor();
      await page.waitForFunction(() => {
        const top = document.getElementById('covalencedeadletters')?.getBoundingClientRect().top;
        return top !== undefined && Math.round(top) >= 0 && top < window.innerHeight;
      });
      await mend();
      await job.click(page.getByRole('link', { name: 'Dead letters', exact: true }));
      await heading(page, 'Dead letters').waitFor();
      const row = page
        .getByRole('row')
        .filter({ hasText: 'pair.liked' })
        .filter({ hasText: String(ben.id) });
      await job.click(row.getByRole('button', { name: /^Read/ }));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('row', { name: `Member ${ben.id}` }).waitFor();
      await dialog.getByRole('row', { name: /^Error .*WRONGTYPE/ }).waitFor();
      await job.click(dialog.getByRole('button', { name: 'Close' }));
      await dialog.waitFor({ state: 'detached' });
      await job.check(row.getByRole('checkbox'));
      await job.click(page.getByRole('button', { name: 'Replay (1) …' }));
      await job.click(dialog.getByRole('button', { name: 'Replay (1)', exact: true }));
      await page.getByRole('status').filter({ hasText: 'Replayed: 1.' }).waitFor();
      job.done('Replay dead letters', 7);
      await row.waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
      disconnect();
    });
  });
}
