/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  addStaff,
  callAsStaff,
  heading,
  openTab,
  signIn,
  type Login,
  type System,
} from '../support/console-under-test.ts';
import { alert, compare } from './search.ts';

/** Criteria of which height and smoking decide the order. */
const criteria = JSON.stringify({
  age: { from: 18, to: 99 },
  smoking: { value: 10 },
  height: { from: 170, to: 190 },
});

/** The grades of the first result. */
const firstResult = (page: Page) => page.getByRole('radiogroup', { name: /^1\. / });

/** Creates a set with one search, and shows its results to grade. */
export async function makeJudgments(page: Page, name: string, member: number): Promise<void> {
  await page.getByLabel('Name of the set').fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await heading(page, name).waitFor();
  await page.getByLabel('Search (name)').fill('tall people');
  await page.getByLabel('Member who searches').fill(String(member));
  await page.getByLabel('Criteria').fill(criteria);
  await page.getByRole('button', { name: 'Add the search' }).click();
  await page.getByRole('button', { name: 'Grade the results of tall people' }).click();
  await firstResult(page).waitFor();
}

/** Grades the first results by keys. */
export async function gradeByKeys(page: Page, grades: string): Promise<void> {
  await firstResult(page).getByRole('radio').first().focus();
  for (const grade of grades) await page.keyboard.press(grade);
  await page
    .getByRole('status')
    .filter({ hasText: `Grades: ${grades.length}` })
    .waitFor();
}

/** Runs the set, and waits for what changed. */
export async function runNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('region', { name: 'What changed' }).waitFor();
}

/** The search team's judgments. */
export function judgmentCases(system: () => System): void {
  describe('the page of judgments', () => {
    let parts: System;
    let raters: Login[];
    let member: number;
    beforeAll(async () => {
      parts = system();
      raters = [
        await addStaff(parts.stack, { '*': ['search'] }),
        await addStaff(parts.stack, { '*': ['search'] }),
      ];
      member = parts.stack.demo.members[0]?.id ?? 0;
    });

    const open = async (rater: number) => {
      const tab = await openTab(parts.browser);
      await signIn(
        tab.page,
        `${parts.base}/search/judgments`,
        raters[rater] ?? { username: '', password: '' },
      );
      return tab;
    };

    it('grades by keys, says how far raters agree, and leads from a changed metric to who moved', async () => {
      const { page, problems } = await open(0);
      await makeJudgments(page, 'agreed', member);
      await gradeByKeys(page, '0312');
      await page.getByRole('status').filter({ hasText: 'Raters: 1' }).waitFor();

      // Another rater sees the grades of others after the own one, and imports the file of all.
      const second = await open(1);
      await second.page.getByRole('link', { name: 'agreed' }).click();
      await second.page.getByRole('button', { name: 'Grade the results of tall people' }).click();
      await firstResult(second.page).waitFor();
      expect(await second.page.getByText('Others: ').count()).toBe(0);
      await firstResult(second.page).getByRole('radio').first().focus();
      for (const key of '0312') await second.page.keyboard.press(key);
      await second.page.getByText('Others: 3').waitFor();
      await second.page.getByRole('status').filter({ hasText: 'α): 1' }).waitFor();
      const download = second.page.waitForEvent('download');
      await second.page.getByRole('button', { name: 'Export the grades' }).click();
      const file = await (await download).path();
      const chooser = second.page.waitForEvent('filechooser');
      await second.page.getByRole('button', { name: 'Import grades' }).click();
      await (await chooser).setFiles(file);
      await second.page.getByRole('status').filter({ hasText: 'Grades stored: 8' }).waitFor();

      await page.getByText('There is no shadow index.').waitFor();
      await runNow(page);
      // Weights that are tried on the page that compares are offered for a run.
      await page.getByRole('link', { name: 'Compare' }).first().click();
      await compare(page, member);
      const slider = page.getByRole('slider', { name: 'Weight of height' });
      await slider.focus();
      await slider.press('End');
      await page.getByText(/^height: .+ → 20, on every site/).waitFor();
      await page.getByRole('link', { name: 'Measure with judgments' }).click();
      await page.getByRole('link', { name: 'agreed' }).click();
      await page
        .getByRole('region', { name: 'Unpublished changes' })
        .getByText(/^height: /)
        .waitFor();
      // The first results under them are to be graded too.
      await page.getByRole('button', { name: 'Grade the results of tall people' }).click();
      await page.getByRole('radiogroup', { name: /^21\. / }).waitFor();
      await runNow(page);
      await page.getByRole('cell', { name: /changed ?height: .+ → 20$/ }).waitFor();
      await page.getByRole('img', { name: /^Metrics of the runs/ }).waitFor();
      await page.getByRole('cell', { name: /: \d+ → \d+/ }).waitFor();
      await page.getByRole('link', { name: /^0\.\d+ → / }).click();
      const changed = page.getByRole('region', { name: 'Changed settings' });
      await changed.getByRole('listitem').first().waitFor();
      await page.getByText('height: 20 (in force: ').waitFor();
      expect(await page.getByLabel('Member who searches').inputValue()).toBe(String(member));
      // The search of a set takes criteria for subscribers, also after a change of the criteria.
      const zodiac = { age: { from: 18, to: 99 }, zodiac: { values: ['Leo', 'Virgo', 'Aries'] } };
      await page.getByLabel('Criteria').fill(JSON.stringify(zodiac));
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByRole('slider', { name: 'Weight of zodiac' }).waitFor();
      // A link to a run in a shadow index that is gone.
      await page.goto(`${page.url()}&index=shadow`);
      await alert(page, 'index does not exist').waitFor();
      await page.getByText('live index').click();
      await changed.getByRole('listitem').first().waitFor();
      await page.getByLabel('Criteria').fill(JSON.stringify(zodiac));
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByRole('slider', { name: 'Weight of zodiac' }).waitFor();
      expect([problems, second.problems]).toEqual([[], []]);
    });

    it('runs a set under an older version, and leads to who moved under it', async () => {
      const { stack } = parts;
      const searcher = raters[0] ?? { username: '', password: '' };
      const path = '/staff/search/settings';
      const before = (await callAsStaff(stack, searcher, path)) as {
        version: number;
        file: { weights: object };
        versions: { version: number }[];
      };
      const publish = (after: number, relevance: object | null, note: string) =>
        callAsStaff(stack, searcher, path, { after, relevance, note }) as Promise<{ version: number }>;
      const tall = (height: number) => ({ ...before.file, weights: { ...before.file.weights, height } });
      const { version } = await publish(before.versions[0]?.version ?? 0, tall(17), 'tall people');
      const next = await publish(version, tall(18), 'taller people');
      await publish(next.version, null, 'back');
      const { page, problems } = await open(0);
      await makeJudgments(page, 'older', member);
      await gradeByKeys(page, '0312');
      await page.getByLabel('Settings of the run').selectOption(`version ${version} · tall people`);
      await runNow(page);
      await page.getByRole('cell', { name: new RegExp(`changed ?version ${version}$`) }).waitFor();
      await page.getByRole('link', { name: /^\d\.\d+$/ }).click();
      await page.getByText('height: 17 (in force: ').waitFor();
      await page
        .getByRole('region', { name: 'Changed settings' })
        .getByText(/^([↑↓] \d+|new)$/)
        .first()
        .waitFor();
      // A step back to another run of the same search shows the settings of that one.
      await page.getByRole('link', { name: 'Measure with judgments' }).click();
      await page.getByRole('link', { name: 'older' }).click();
      await page.getByLabel('Settings of the run').selectOption(`version ${next.version} · taller people`);
      await runNow(page);
      await page
        .getByRole('region', { name: 'What changed' })
        .getByRole('link', { name: /^\d\.\d+/ })
        .first()
        .click();
      await page.getByText('height: 18 (in force: ').waitFor();
      await page.evaluate(() => history.go(-3));
      await page.getByText('height: 17 (in force: ').waitFor();
      // A changed weight makes a draft, which other settings of a link replace only after a question.
      const slider = page.getByRole('slider', { name: 'Weight of height' });
      await slider.press('End');
      await page.getByText('height: 20 (in force: ').waitFor();
      await page.evaluate(() => history.go(3));
      await page.getByText('height: 18 (in force: ').waitFor();
      await slider.press('Home');
      const dialog = page.getByRole('dialog', { name: 'Replace your changes' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('height: 18 (in force: ').waitFor();
      await page.getByRole('button', { name: 'Discard the changes' }).click();
      await page.getByText('height: 20 (in force: ').waitFor();
      await page.evaluate(() => history.go(-3));
      await page.getByText('height: 17 (in force: ').waitFor();
      await slider.press('ArrowRight');
      await dialog.getByRole('button', { name: 'Replace your changes' }).click();
      await page.getByText('height: 18 (in force: ').waitFor();
      expect(problems).toEqual([]);
    });

    it('takes a grade back, deletes a search and the set', async () => {
      const { page, problems } = await open(0);
      await makeJudgments(page, 'of no use', member);
      await gradeByKeys(page, '3');
      await firstResult(page).getByRole('radio', { checked: true }).focus();
      await page.keyboard.press('Delete');
      await page.getByRole('status').filter({ hasText: 'Grades: 0' }).waitFor();
      await page.getByRole('button', { name: 'Delete tall people' }).click();
      await page.getByRole('button', { name: 'Delete tall people' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Delete the set' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the set' }).click();
      await heading(page, 'Judgments').waitFor();
      await page.getByRole('link', { name: 'of no use' }).waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    });
  });
}
