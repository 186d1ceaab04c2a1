/// <reference lib="dom" />
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { addStaff, heading, openAs, type Login, type System } from '../support/console-under-test.ts';
import { registerMember, type TestMember } from '../support/members.ts';
import { beginJob } from '../support/timed-job.ts';
import { status } from './search.ts';
import { runNow } from './judgments.ts';

const repository = new URL('../../../../', import.meta.url);
const command = new URL('services/search/dist/covalence.js', repository).pathname;
const mapping = new URL('services/search/settings/mapping.json', repository);

/** From a changed weight to the page that shows its order. */
const followsMs = 1_000;

/** From an idea to what members search with. */
const publishedMs = 120_000;

/** The results on one side of the comparison. */
const side = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** The results on this side that meet all criteria. */
const perfect = (page: Page, name: string): Locator =>
  side(page, name)
    .getByRole('listitem')
    .filter({ has: page.getByText('1', { exact: true }) });

interface Found {
  readonly users: readonly { readonly id: number; readonly exactmatch: boolean }[];
}

/** The search team's way from an idea or a complaint to what is in force, and back. */
export function workbenchCases(system: () => System): void {
  describe('the workbench of the search team', () => {
    let parts: System;
    let searcher: Login;
    let nora: TestMember;
    let walker: TestMember;
    let folder: string;
    beforeAll(async () => {
      parts = system();
      folder = mkdtempSync(join(tmpdir(), 'covalence-mapping-'));
      searcher = await addStaff(parts.stack, { '*': ['search'] });
      nora = await registerMember(parts, { siteid: 1 });
      const man = { siteid: 1, gender: 'Male', genderpreference: 'Female' };
      walker = await registerMember(parts, { ...man, headline: 'Zeppelining around the world' });
      await until('the member to be found', async () => (await find('zeppelin')).length);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const open = (path: string) => openAs(parts, `/search/${path}`, searcher);

    /** Members whom Nora finds by a word. */
    async function find(word: string): Promise<number[]> {
      const body = { age: { from: 18, to: 99 }, keywords: { value: word }, pagesize: 100 };
      const { users } = (await nora.call('/searches', body)) as Found;
      return users.filter(({ exactmatch }) => exactmatch).map(({ id }) => id);
    }

    /** Runs a command of the search service, with a mapping that stems German instead of English. */
    async function runIndex(name: 'shadow' | 'drop'): Promise<void> {
      const file = join(folder, 'mapping.json');
      const german = readFileSync(mapping, 'utf8').replace('"language": "English"', '"language": "German"');
      writeFileSync(file, german.replace(/"version": \d+/, '"version": 99'));
      const env = { ...parts.stack.environment('search'), MAPPING_FILE: file };
      await promisify(execFile)(process.execPath, [command, 'index', name], { env });
    }

    it('brings a synonym from idea to what members find in two minutes, tried before it is published', async () => {
      const { page, problems } = await open('synonyms');
      expect(await find('airship')).toEqual([]);
      const begun = performance.now();
      const job = beginJob(page);
      await job.fill(page.getByLabel('New language'), 'en');
      await job.click(page.getByRole('button', { name: 'Add' }));
      await job.fill(page.getByLabel('Rules'), 'airship, zeppelin');
      await job.click(page.getByRole('link', { name: 'Try in a search' }));
      await job.fill(page.getByLabel('Member who searches'), String(nora.id));
      await job.fill(page.getByLabel('Criteria'), '{"age": {"from": 18, "to": 99}}');
      await job.fill(page.getByLabel('Words in texts'), 'airship');
      await job.click(page.getByRole('button', { name: 'Search', exact: true }));
      await perfect(page, 'Changed settings')
        .filter({ hasText: `(${walker.id})` })
        .waitFor();
      expect(await perfect(page, 'Settings in force').count()).toBe(0);
      // The tried rule is still being edited.
      await job.click(page.getByRole('link', { name: 'Synonyms' }));
      expect(await page.getByLabel('Rules').inputValue()).toBe('airship, zeppelin');
      await job.fill(page.getByLabel('Note'), 'airships');
      await job.click(page.getByRole('button', { name: 'Publish' }));
      await status(page, 'is published').waitFor();
      await until('the word to find the member', async () => (await find('airship')).includes(walker.id));
      job.done('Publish a synonym', 11);
      expect(performance.now() - begun).toBeLessThan(publishedMs);
      await page.getByRole('button', { name: 'Roll back to before any version' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back to version 0' }).click();
      await until('the word to find nobody', async () => !(await find('airship')).length);
      expect(problems).toEqual([]);
    });

    it('answers a complaint by a weight: each step of the slider shows its order within a second', async () => {
      const { page, problems } = await open('compare');
      const job = beginJob(page);
      const criteria = { age: { from: 18, to: 99 }, smoking: { value: 10 }, height: { from: 170, to: 190 } };
      await job.fill(page.getByLabel('Member who searches'), String(nora.id));
      await job.fill(page.getByLabel('Criteria'), JSON.stringify(criteria));
      await job.click(page.getByRole('button', { name: 'Search', exact: true }));
      await job.focus(page.getByRole('slider', { name: 'Weight of height' }));
      const waits: number[] = [];
      for (const [key, weight] of [
        ['End', 20],
        ['ArrowLeft', 19],
        ['ArrowLeft', 18],
        ['ArrowLeft', 17],
        ['ArrowLeft', 16],
      ] as const) {
        const begun = performance.now();
        await job.press(key);
        await page.getByText(`height: ${weight} (in force: `).waitFor();
        // The page offers to publish only what it shows.
        await page.locator('button[type=submit]:enabled', { hasText: 'Publish' }).waitFor();
        waits.push(performance.now() - begun);
      }
      // Other work of the machine delays some of them.
      expect(Math.min(...waits)).toBeLessThan(followsMs);
      await side(page, 'Changed settings').getByRole('listitem').nth(8).scrollIntoViewIfNeeded();
      await job.picture(
        'compare-light',
        'A weight that is tried: its results beside those of the settings in force',
      );
      await job.fill(page.getByLabel('Note'), 'tall people');
      await job.click(page.getByRole('button', { name: 'Publish' }));
      await status(page, 'is published').waitFor();
      await job.click(page.getByRole('link', { name: 'Settings in force' }));
      await job.click(page.getByRole('button', { name: 'Roll back to before any version' }));
      await job.click(page.getByRole('dialog').getByRole('button', { name: 'Roll back to version 0' }));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      job.done('Answer a complaint', 14);
      expect(problems).toEqual([]);
    });

    it('tries a mapping in a shadow index: from the command to a verdict of judgments, and back', async () => {
      await runIndex('shadow');
      const { page, problems } = await open('judgments');
      await page.getByLabel('Name of the set').fill('forms of words');
      await page.getByRole('button', { name: 'Create' }).click();
      await heading(page, 'forms of words').waitFor();
      await page.getByLabel('Search (name)').fill('walks');
      await page.getByLabel('Member who searches').fill(String(nora.id));
      const criteria = { age: { from: 18, to: 99 }, keywords: { value: 'zeppelined' } };
      await page.getByLabel('Criteria').fill(JSON.stringify(criteria));
      await page.getByRole('button', { name: 'Add the search' }).click();
      await page.getByRole('button', { name: 'Grade the results of walks' }).click();
      const found = page.getByRole('radiogroup', { name: `(${walker.id})` });
      await found.getByRole('radio', { name: '3 ideal' }).click();
      await status(page, 'Grades: 1').waitFor();
      await runNow(page);
      await page.getByText(/^Shadow index: .*, mapping 99$/).waitFor();
      await page.getByText('shadow index', { exact: true }).click();
      await page.getByRole('button', { name: 'Run now' }).click();
      // The word is found in the live index only, so the metric falls, and leads to who moved.
      const fallen = page.getByRole('link', { name: /^1\.000 → 0\.\d+$/ });
      await page.getByRole('cell', { name: new RegExp(`${walker.id}: 1 → (\\d+|below)`) }).waitFor();
      await fallen.click();
      await perfect(page, 'Settings in force')
        .filter({ hasText: `(${walker.id})` })
        .waitFor();
      await side(page, 'Shadow index').getByRole('listitem').first().waitFor();
      expect(await perfect(page, 'Shadow index').count()).toBe(0);
      await runIndex('drop');
      await page.reload();
      await page.getByText('There is no shadow index.').waitFor();
      expect(await find('zeppelined')).toContain(walker.id);
      expect(problems).toEqual([]);
    });
  });
}
