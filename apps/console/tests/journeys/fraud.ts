import { linkOf } from '@covalence/testing/mails';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { addStaff, heading, openAs, shots, type Login, type System } from '../support/console-under-test.ts';
import { registerMember, type TestMember } from '../support/members.ts';

const ground = 'It deceives others to get money or data.';
const facts = 'Asked three members for gift cards.';

/** The mail with the statement of reasons is sent every ten seconds. */
const mailMs = 25_000;

/** Suspends the member of a page for fraud, with a ban. Resolves with the number of clicks and texts. */
async function ban(page: Page): Promise<number> {
  const form = page.getByRole('dialog');
  const steps = [
    () => page.getByRole('button', { name: 'Suspend …' }).click(),
    () => form.getByLabel('Ground').selectOption(ground),
    () => form.getByLabel('Facts').fill(facts),
    () =>
      form
        .getByLabel(/ban list/)
        .first()
        .check(),
    () => form.getByRole('button', { name: 'Suspend', exact: true }).click(),
  ];
  for (const step of steps) await step();
  await form.waitFor({ state: 'detached' });
  return steps.length;
}

/** Bans for fraud, and who comes back after one. */
export function fraudCases(system: () => System): void {
  describe('a ban for fraud', () => {
    let moderator: Login;
    let scammer: TestMember;
    beforeAll(async () => {
      moderator = await addStaff(system().stack, { '1': ['moderator'] });
      const victim = await registerMember(system(), { siteid: 1 });
      scammer = await registerMember(system(), { siteid: 1 });
      await victim.call('/report', { profileid: scammer.id, category: 'scam', reason: 'Wants gift cards' });
    });

    it('goes from the report to the ban list and the mail, in eight steps', async () => {
      const { page, problems } = await openAs(system(), '/service/queue', moderator);
      const begun = Date.now();
      const steps = [
        () => page.getByRole('link', { name: 'Reports' }).first().click(),
        () => page.getByLabel('Category').selectOption('Scam'),
        () => page.getByRole('button', { name: 'Take the next report' }).click(),
      ];
      for (const step of steps) await step();
      await heading(page, `Report about member ${scammer.id}`).waitFor();
      const inputs = steps.length + (await ban(page));
      await heading(page, 'Reports').waitFor();
      await page.getByText('Nothing here.').waitFor();
      const seconds = (Date.now() - begun) / 1_000;
      if (shots) writeFileSync(`${shots}/fraud.json`, JSON.stringify({ inputs, seconds }));
      expect(inputs).toBe(8);

      await page.getByRole('link', { name: 'Ban list' }).click();
      await page.getByLabel('Number of the member').fill(String(scammer.id));
      await page.getByRole('row', { name: /^email address/ }).waitFor();
      const folder = system().stack.environment('auth')['MAIL_DIR'] ?? '';
      expect(await linkOf(folder, scammer.email, '/appeal/', mailMs)).toMatch(/^\/appeal\//);
      await expect(scammer.read('/users/self')).rejects.toThrow('401');
      expect(problems).toEqual([]);
    });

    it('brings the member who comes back into the queue, unnoticed, and from there out again', async () => {
      const email = scammer.email.replace('@', '+again@').toUpperCase();
      const again = await registerMember(system(), { siteid: 1, email });
      expect(await again.read('/users/self')).toMatchObject({ userstatus: 'approved' });
      const { page, problems } = await openAs(system(), '/service/queue/profile?flagged=true', moderator);
      const entry = page.getByRole('region', { name: 'To decide' });
      await entry.getByText('Email address: on the ban list').waitFor();
      await entry.getByRole('link', { name: `(${again.id})` }).waitFor();
      await page.goto(`${system().base}/service/members/${again.id}`);
      await ban(page);
      await page.getByText('suspended', { exact: true }).waitFor();
      await page.getByRole('region', { name: 'Decisions' }).getByText(`Reason: ${ground}`).first().waitFor();
      expect(problems).toEqual([]);
    });
  });
}
