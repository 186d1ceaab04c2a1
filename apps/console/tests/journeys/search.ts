/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import {
  addStaff,
  comeBack,
  openAs,
  openTab,
  settings,
  signIn,
  type Login,
  type System,
} from '../support/console-under-test.ts';

/** A note that would run in a page that takes it for HTML. */
const hostile = `"><img src=x onerror="document.title='owned'">`;

/** Runs a search as a member on the page that compares. */
export async function compare(page: Page, member: number): Promise<void> {
  await page.getByLabel('Member who searches').fill(String(member));
  const criteria = { age: { from: 18, to: 99 }, smoking: { value: 10 }, height: { from: 170, to: 190 } };
  await page.getByLabel('Criteria').fill(JSON.stringify(criteria));
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('region', { name: 'Settings in force' }).getByRole('listitem').first().waitFor();
}

/** A message with these words. */
export const status = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words });
/** A refusal with these words. */
export const alert = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words });

/** Publishes synonyms of a language that has none. */
async function publishGerman(page: Page, rules: string): Promise<void> {
  await page.getByLabel('New language').fill('de');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByLabel('Rules').fill(rules);
  await page.getByRole('button', { name: 'Publish' }).click();
}

/** The work of the search team. */
export function searchCases(system: () => System): void {
  describe('the pages of search', () => {
    let parts: System;
    let searcher: Login;
    let member: number;
    beforeAll(async () => {
      parts = system();
      searcher = await addStaff(parts.stack, { '*': ['search'] });
      member = parts.stack.demo.members[0]?.id ?? 0;
    });

    const open = (path: string) => openAs(parts, `/search/${path}`, searcher);

    it('bring a synonym from idea to live, with a note that is shown as text, and back', async () => {
      const { page, problems } = await open('synonyms');
      await page.getByLabel('New language').fill('en');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByLabel('Rules').fill('dog, puppy\n=> nothing');
      await page.getByLabel('Note').fill(hostile);
      await page.getByRole('button', { name: 'Publish' }).click();
      await alert(page, 'en, line 2: ').waitFor();
      await page.getByLabel('Rules').fill('dog, puppy');
      await page.getByRole('button', { name: 'Publish' }).click();
      await status(page, 'Version 1 is published').waitFor();
      await page.getByRole('cell', { name: hostile }).waitFor();
      expect([await page.locator('img').count(), await page.title()]).toEqual([
        0,
        'Synonyms and stems · Covalence console',
      ]);
      await page.getByRole('button', { name: 'Roll back to before any version' }).click();
      // As if an experiment compared with the version in force.
      await page.route('**/search/settings/rollback', async (route) => {
        const response = await route.fetch();
        const json = { ...((await response.json()) as object), ended: 'puppies' };
        await route.fulfill({ response, json });
      });
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back to version 0' }).click();
      await status(page, 'This ended the experiment “puppies”').waitFor();
      await page.getByRole('row', { name: /^2 / }).getByText('in force').waitFor();
      expect(await page.getByLabel('Rules').count()).toBe(0);
      expect(problems).toEqual([]);
    });

    it('refuse a change of settings that somebody else has changed meanwhile', async () => {
      const [first, second] = [await open('synonyms'), await open('synonyms')];
      await publishGerman(first.page, 'hund, welpe');
      await status(first.page, 'is published').waitFor();
      await publishGerman(second.page, 'katze, mieze');
      await alert(second.page, 'Somebody else has published').waitFor();
      expect(await second.page.getByLabel('Rules').inputValue()).toBe('katze, mieze');
    });

    it('say that somebody else has published while a change is typed, and do not publish over it', async () => {
      const other = await open('synonyms');
      const tab = await openTab(parts.browser);
      await tab.page.clock.install();
      await signIn(tab.page, `${parts.base}/search/synonyms`, searcher);
      await tab.page.getByLabel('New language').fill('fr');
      await tab.page.getByRole('button', { name: 'Add' }).click();
      await tab.page.getByLabel('Rules').fill('chien, toutou');
      await other.page.getByLabel('New language').fill('it');
      await other.page.getByRole('button', { name: 'Add' }).click();
      await other.page.getByLabel('Rules').fill('cane, cagnolino');
      await other.page.getByRole('button', { name: 'Publish' }).click();
      await status(other.page, 'is published').waitFor();
      await comeBack(tab.page);
      await alert(tab.page, 'Somebody else has published').waitFor();
      expect(await tab.page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
      expect(await tab.page.getByLabel('Rules').inputValue()).toBe('chien, toutou');
    });

    it('say which command publishes another stemmer, and save its file', async () => {
      const { page, problems } = await open('synonyms');
      await page.getByLabel('New language').fill('nl');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.locator('input').and(page.getByLabel('Stemmer')).click();
      await page.getByRole('option', { name: 'Dutch' }).click();
      await page.getByLabel('Protected words').fill('fietsen');
      await page.getByText('nl.stemmer: default → Dutch').waitFor();
      await page.getByText('nl.protected + fietsen').waitFor();
      await page.getByRole('button', { name: 'Publish' }).click();
      await alert(page, 'run `covalence search-settings publish <file>`').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as a file' }).click();
      const file = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as object;
      const nl = { synonyms: [], stemmer: 'Dutch', protected: ['fietsen'] };
      expect(file).toEqual({
        version: expect.any(Number),
        languages: expect.objectContaining({ nl }),
      });
      expect(problems).toEqual([]);
    });

    it('keep what was typed on the way to other pages, and ask before the tab loses it', async () => {
      const { page, problems } = await open('synonyms');
      await page.getByLabel('New language').fill('es');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByLabel('Rules').fill('perro, can');
      await page.getByText('es.synonyms + perro, can').waitFor();
      await page.getByRole('link', { name: 'Settings in force' }).click();
      await settings(page).waitFor();
      await Promise.all([
        page.waitForEvent('dialog').then((dialog) => dialog.dismiss()),
        page.evaluate(() => location.reload()),
      ]);
      await page.getByRole('link', { name: 'Synonyms' }).click();
      expect(await page.getByLabel('Rules').inputValue()).toBe('perro, can');
      await page.getByRole('button', { name: 'Discard the changes' }).click();
      await page.getByText('es.synonyms + perro, can').waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    });

    it('show who moves when a weight changes, and why, publish it and roll it back', async () => {
      const { page, problems } = await open('compare');
      await page.getByLabel('Age from').fill('30');
      await page.getByLabel('Distance').selectOption('up to 500 miles');
      await page.getByLabel('with a photo').check();
      const criteria = JSON.parse(await page.getByLabel('Criteria').inputValue()) as unknown;
      expect(criteria).toEqual({
        age: { from: 30, to: 45 },
        smoking: { value: 10 },
        location: { within: 500 },
        photo: { value: 'true' },
      });
      await compare(page, member);
      expect(await page.getByLabel('Age from').inputValue()).toBe('18');
      const changed = page.getByRole('region', { name: 'Changed settings' });
      expect(await changed.count()).toBe(0);
      // Nobody moves without other settings.
      expect(await page.getByText(/^([↑↓] \d+|new|gone)$/).count()).toBe(0);
      await page.getByText('There is no shadow index.').waitFor();
      const weight = await page.getByText(/^height: \d+ \(in force: /).textContent();
      const slider = page.getByRole('slider', { name: 'Weight of height' });
      await slider.focus();
      // The sliders stay where a comparison fails.
      const refused = { status: 403, json: { fail: 'Invalid Argument' } };
      await page.route('**/search/comparisons', (route) => route.fulfill(refused), { times: 1 });
      await slider.press('ArrowRight');
      await alert(page, 'rejected the input').waitFor();
      expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
      await slider.press('End');
      await changed
        .getByText(/^([↑↓] \d+|new)$/)
        .first()
        .waitFor();
      const bar = await changed.locator('[title="height"]').first().boundingBox();
      expect(bar?.width).toBeGreaterThan(0);
      await changed.getByText('Why').first().click();
      await changed
        .getByRole('cell', { name: /= 20 × / })
        .first()
        .waitFor();
      await page.getByText('Raw query').first().click();
      await page
        .getByText(/^POST \/.*_search/)
        .first()
        .waitFor();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^POST \/.*_search\n\{/);
      const published = page.getByRole('region', { name: 'Unpublished changes' });
      await published.getByText(/^height: .+ → 20, on every site/).waitFor();
      await page.getByLabel('Note').fill('tall people');
      await page.getByRole('button', { name: 'Publish' }).click();
      await status(page, 'is published').waitFor();
      await changed.waitFor({ state: 'detached' });
      await page.getByText('height: 20 (in force: 20)').waitFor();
      await page.getByRole('link', { name: 'Settings in force' }).click();
      await page.getByRole('button', { name: 'Roll back to before any version' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back to version 0' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Compare' }).click();
      await compare(page, member);
      await page.getByText(weight ?? '', { exact: true }).waitFor();
      expect(problems).toEqual([]);
    });

    it('try weights of the order among equals, for the site of the searcher only', async () => {
      const { page, problems } = await open('compare');
      await compare(page, member);
      await page.getByText('Order among equals').click();
      const slider = page.getByRole('slider', { name: 'Weight of among_equals.exposure' });
      await slider.focus();
      await slider.press('End');
      const changed = page.getByRole('region', { name: 'Changed settings' });
      await changed.getByRole('listitem').first().waitFor();
      await changed.getByText('Why').first().click();
      await changed
        .getByRole('row', { name: /^exposure among equals/ })
        .first()
        .waitFor();
      await page.getByText(/^on site \d+ only$/).click();
      const published = page.getByRole('region', { name: 'Unpublished changes' });
      await published.getByText(/^among_equals\.exposure: 0 → 20, on site \d+$/).waitFor();
      expect(await published.getByRole('listitem').filter({ hasText: 'on every site' }).count()).toBe(0);
      expect(problems).toEqual([]);
    });

    it('try any setting as text, say which part is wrong, and save it for the command line', async () => {
      const { page, problems } = await open('compare');
      await compare(page, member);
      await page.getByText('All settings').click();
      const input = page.getByLabel('Settings as JSON');
      const inForce = JSON.parse(await input.inputValue()) as {
        languages: object;
        relevance: { text: object };
      };
      const languages = { ...inForce.languages, en: { synonyms: ['cat, kitten'], protected: [] } };
      const expanding = (max_expansions: number) => {
        const text = { ...inForce.relevance.text, max_expansions };
        return { languages, relevance: { ...inForce.relevance, text } };
      };
      await input.fill(JSON.stringify(expanding(5_000)));
      await alert(page, 'settings.relevance.text.max_expansions').waitFor();
      await input.fill(JSON.stringify(expanding(20)));
      const published = page.getByRole('region', { name: 'Unpublished changes' });
      await published.getByText('relevance.text.max_expansions: 50 → 20').waitFor();
      await published.getByText('languages.en.synonyms + cat, kitten').waitFor();
      const changed = page.getByRole('region', { name: 'Changed settings' });
      await changed.getByRole('listitem').first().waitFor();
      // Another search tries the same settings.
      await page.getByLabel('Member who searches').fill(String(parts.stack.demo.members[1]?.id));
      await Promise.all([
        page.waitForResponse('**/search/comparisons'),
        page.getByRole('button', { name: 'Search', exact: true }).click(),
      ]);
      await changed.getByRole('listitem').first().waitFor();
      expect(JSON.parse(await input.inputValue())).toEqual(expanding(20));
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as a file' }).click();
      const file = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as object;
      expect(file).toEqual({ version: expect.any(Number), ...expanding(20) });
      await page.getByRole('button', { name: 'Discard the changes' }).click();
      await changed.waitFor({ state: 'detached' });
      expect(JSON.parse(await input.inputValue())).toEqual(inForce);
      // Parts that are missing, or of another shape, break no page.
      await input.fill('{"relevance": {"weights": {}}}');
      await alert(page, 'settings.relevance.').waitFor();
      await page.getByRole('slider', { name: 'Weight of height' }).waitFor();
      await input.fill('{"languages": {"en": {"synonyms": 5}}}');
      await alert(page, 'settings.languages.en.synonyms').waitFor();
      await page.getByRole('link', { name: 'Synonyms' }).click();
      await page.getByText('have another form than expected').waitFor();
      await page.getByRole('button', { name: 'Discard the changes' }).click();
      await page.getByLabel('New language').waitFor();
      expect(problems).toEqual([]);
    });

    it('say what is wrong with a search', async () => {
      const { page } = await open('compare');
      await page.getByLabel('Member who searches').fill(String(member));
      await page.getByLabel('Criteria').fill('{"age":');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.getByText('This is not valid JSON.').waitFor();
      await page.getByLabel('Criteria').fill('{"dinosaur": {"value": 1}}');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await alert(page, 'The service rejected the input.').waitFor();
      // With the name of the request in the logs.
      await page.getByText(/31009 · [\w-]{8,}/).waitFor();
      expect(await page.getByRole('listitem').count()).toBe(0);
    });
  });
}
