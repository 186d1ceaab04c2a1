import { describe, expect, it } from '@jest/globals';
import { lastMonths } from '../../src/operators/transparency-report.ts';
import { addStaff, callAsStaff, openAs, type System } from '../support/console-under-test.ts';
import { countMonths } from '../support/counted-months.ts';
import { saved } from './audit.ts';

/** Tests of the transparency report. */
export function transparencyCases(system: () => System): void {
  describe('the transparency report', () => {
    it('counts a period of months that are over, and is saved as the service made it', async () => {
      const { stack } = system();
      await countMonths(system(), 6);
      const moderator = await addStaff(stack, { '1': ['moderator'] });
      const { page, problems } = await openAs(system(), '/operators/transparency', moderator, {
        acceptDownloads: true,
      });
      const [last = '', , , , , first = '', before = ''] = lastMonths(7, new Date());
      const show = () => page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
      await page.getByLabel('From').selectOption(before);
      await show();
      await page.getByRole('alert').filter({ hasText: 'was not counted' }).waitFor();
      await page.getByLabel('From').selectOption(first);
      await show();
      await page.getByRole('row', { name: /^Decisions by restriction total 72 –$/ }).waitFor();
      await page.getByRole('row', { name: 'Suspended · with the ban list 72 –' }).waitFor();
      await page.getByRole('row', { name: 'Reports decided total 72 5' }).waitFor();
      await page.getByRole('row', { name: 'Scam 72 5' }).waitFor();
      const path = `/staff/transparency?from=${first}&to=${last}&format=csv`;
      const { csv, ...report } = (await callAsStaff(stack, moderator, path)) as { csv: string };
      expect(csv).toContain(`${first},${last},reports_decided,scam,72,5\n`);
      expect(await saved(page, 'Save as CSV')).toBe(csv);
      expect(JSON.parse(await saved(page, 'Save as JSON'))).toEqual(report);
      expect(problems).toEqual([]);
    });
  });
}
