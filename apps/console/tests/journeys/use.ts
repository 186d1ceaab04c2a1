/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { addStaff, heading, openAs, type Login, type System } from '../support/console-under-test.ts';
import { alert, compare, status } from './search.ts';

/** Cases of what the search team learns from use. */
export function useCases(system: () => System): void {
  describe('the pages of use', () => {
    let parts: System;
    let searcher: Login;
    let member: number;
    beforeAll(async () => {
      parts = system();
      searcher = await addStaff(parts.stack, { '*': ['search'] });
      member = parts.stack.demo.members[0]?.id ?? 0;
    });

    const open = (path: string) => openAs(parts, `/search/${path}`, searcher);

    it('begin an experiment with compared weights, stop it, and publish what it tried', async () => {
      const { page, problems } = await open('compare');
      await compare(page, member);
      await page.getByText('All settings').click();
      const input = page.getByLabel('Settings as JSON');
      const inForce = JSON.parse(await input.inputValue()) as { relevance: object };
      const published = page.getByRole('region', { name: 'Unpublished changes' });
      const slider = page.getByRole('slider', { name: 'Weight of height' });
      const begin = async () => {
        await slider.focus();
        await slider.press('End');
        await page.getByRole('button', { name: 'Try in use' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name of the experiment').fill('taller');
        await dialog.getByRole('button', { name: 'Begin' }).click();
      };
      await begin();
      await alert(page, 'usage_sample is 0 on these sites').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Discard the changes' }).click();
      await input.fill(JSON.stringify({ relevance: { ...inForce.relevance, usage_sample: 1 } }));
      await published.getByText('relevance.usage_sample: 0 → 1').waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      await status(page, 'is published').waitFor();
      await begin();
      await heading(page, 'Experiments').waitFor();
      const details = page.getByRole('region', { name: 'taller' });
      await details.getByText(/^weights\.height: \S+ → 20$/).waitFor();
      await page.getByRole('cell', { name: 'running' }).first().waitFor();
      expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
      await details.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
      await details.getByRole('cell', { name: /, stopped$/ }).waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      await status(page, 'is published').waitFor();
      // The details still compare with the version at the start.
      await details.getByRole('cell', { name: /weights\.height: \S+ → 20 ?in force$/ }).waitFor();
      // As if members had preferred one of the two.
      await page.route('**/staff/search/experiments', async (route) => {
        const response = await route.fetch();
        const { experiments } = (await response.json()) as { experiments: object[] };
        const json = { experiments: experiments.map((one) => ({ ...one, chance: 0.0000123 })) };
        await route.fulfill({ response, json });
      });
      await page.reload();
      await details.getByRole('cell', { name: '0.000012', exact: true }).waitFor();
      expect(problems).toEqual([]);
    });

    it('say what members search, by positions and action, and save the grades that follow', async () => {
      const { page, problems } = await open('usage');
      await page.getByText('No kind of search was made by five members in one week.').waitFor();
      await page.getByText(/^The searches of 100 % of the members are recorded/).waitFor();
      // As if more members had searched.
      await page.route('**/search/usage?*', async (route) => {
        const response = await route.fetch();
        const kind = { criteria: 'age=20-50 relevance', version: 3, searchers: 80, results: 1600 };
        const json = {
          ...((await response.json()) as object),
          kinds: [{ ...kind, acted: 90, rate: route.request().url().includes('by=view') ? 20 : 8.5 }],
          examined: [{ up_to: 1, looks: 1 }],
          judgments: [{ topic: '1/2026-03-01/age=20-50_relevance', shown: 'x1', grade: 3 }],
          complete: false,
        };
        await route.fulfill({ response, json });
      });
      await page.getByLabel('Complete days (UTC)').selectOption('28');
      await page.getByRole('row', { name: 'age=20-50 relevance 3 80 1,600 90 8.5' }).waitFor();
      await status(page, 'Choose fewer days.').waitFor();
      await page.getByText('views too').click();
      await page.getByRole('row', { name: 'age=20-50 relevance 3 80 1,600 90 20' }).waitFor();
      await page.getByText('3 ideal: 1').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as TREC (qrels)' }).click();
      const file = readFileSync(await (await download).path(), 'utf8');
      expect(file).toBe('1/2026-03-01/age=20-50_relevance 0 x1 3\n');
      expect(problems).toEqual([]);
    });
  });
}
