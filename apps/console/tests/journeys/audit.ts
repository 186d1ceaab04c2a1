/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import {
  addStaff,
  callAsStaff,
  openAs,
  openTab,
  signIn,
  type Login,
  type System,
} from '../support/console-under-test.ts';
import { registerMember, type TestMember } from '../support/members.ts';

/** The text of a file that a button saves. */
export async function saved(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8');
}

/** Tests of the audit log. */
export function auditCases(system: () => System): void {
  describe('the audit log', () => {
    let helper: Login;
    let member: TestMember;
    beforeAll(async () => {
      const { stack } = system();
      helper = await addStaff(stack, { '2': ['support'] });
      member = await registerMember(system());
      await callAsStaff(stack, helper, `/staff/members/${member.id}/notes`, { text: 'Called back' });
    });

    it('is filtered by member and account, and saved as a file', async () => {
      const { stack } = system();
      const operator = await addStaff(stack, { '*': ['operator'] });
      const { page, problems } = await openAs(system(), '/operators/audit', operator, {
        acceptDownloads: true,
      });
      // Photos and reports have numbers, too.
      await page.getByRole('textbox', { name: 'Account' }).fill(helper.username);
      await page.getByLabel('About (number or id)').fill(String(member.id));
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      const row = page.getByRole('row').filter({ hasText: 'POST /staff/members/:id/notes' });
      await row.getByText(helper.username).waitFor();
      await row.getByText('allowed').waitFor();
      // An operator opens no members.
      expect(await row.getByRole('link').count()).toBe(0);
      expect(await page.getByRole('row').count()).toBe(2);
      const csv = await saved(page, 'Save as CSV');
      expect(csv.split('\r\n')[1]).toContain(`"${helper.username}"`);
      expect(csv.split('\r\n')).toHaveLength(3);
      expect(JSON.parse(await saved(page, 'Save as JSON lines'))).toMatchObject({
        username: helper.username,
        about: [String(member.id)],
      });
      await page.getByRole('textbox', { name: 'Account' }).fill('nobody-of-us');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByRole('alert').waitFor();
      expect(problems).toEqual([]);
    });

    it('is not needed to know which colleague has written a note', async () => {
      const { browser, stack, base } = system();
      const { page, problems } = await openTab(browser);
      const colleague = await addStaff(stack, { '2': ['support'] });
      await signIn(page, `${base}/service/members/${member.id}`, colleague);
      await page.getByRole('region', { name: 'Notes' }).getByText(helper.username).waitFor();
      expect(problems).toEqual([]);
    });
  });
}
