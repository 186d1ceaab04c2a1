import { linkOf } from '@covalence/testing/mails';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addStaff, heading, openAs, type Login, type System } from '../support/console-under-test.ts';
import { registerMember, type TestMember } from '../support/members.ts';
import { beginJob } from '../support/timed-job.ts';

const ground = 'It deceives others to get money or data.';
const facts = 'Asked three members for gift cards.';

/** The mail with the statement of reasons is sent every ten seconds. */
const mailMs = 25_000;

/** Suspends the member of a page for fraud, with a ban. */
async function ban(page: Page, job = beginJob(page)): Promise<void> {
  const form = page.getByRole('dialog');
  await job.click(page.getByRole('button', { name: 'Suspend …' }));
  await job.choose(form.getByLabel('Ground'), ground);
  await job.fill(form.getByLabel('Facts'), facts);
  await job.check(form.getByLabel(/ban list/).first());
  await job.click(form.getByRole('button', { name: 'Suspend', exact: true }));
  await form.waitFor({ state: 'detached' });
}

/** Bans for fraud, and who comes back after one. */
export function fraudCases(system: () => System): void {
  describe('a ban for fraud', () => {
    let moderator: Login;
    let scammer: TestMember;
    beforeAll(async () => {
      moderator = await addStaff(system().stack, { '1': ['moderator'] });
      const victim = await registerMember(system(), { siteid: 1 });
      scammer = await registerMember(system(), { siteid: 1, headline: 'Send me money' });
      await victim.call('/report', { profileid: scammer.id, category: 'scam', reason: 'Wants gift cards' });
    });

    it('goes from the report to the ban list and the mail, in eight steps', async () => {
      const dark = { colorScheme: 'dark' } as const;
      const { page, problems } = await openAs(system(), '/service/queue', moderator, dark);
      const job = beginJob(page);
      await job.click(page.getByRole('main').getByRole('link', { name: 'Reports' }));
      await job.choose(page.getByLabel('Category'), 'Scam');
      await job.click(page.getByRole('button', { name: 'Take the next report' }));
      await heading(page, `Report about member ${scammer.id}`).waitFor();
      await page.getByRole('columnheader', { name: 'As reported' }).waitFor();
      await job.picture('report-dark', 'A report: texts as reported, beside those of now');
      await ban(page, job);
      await heading(page, 'Reports').waitFor();
      await page.getByText('Nothing here.').waitFor();
      job.done('Ban for fraud', 8);

      await page.getByRole('link', { name: 'Ban list' }).click();
      await page.getByLabel('Number of the member').fill(String(scammer.id));
      await page
        .getByRole('row', { name: new RegExp(`^email address 1 ${scammer.username} \\(${scammer.id}\\) `) })
        .waitFor();
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
