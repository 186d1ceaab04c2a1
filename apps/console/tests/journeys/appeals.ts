/// <reference lib="dom" />
import { linkOf } from '@covalence/testing/mails';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  addStaff,
  callAsStaff,
  heading,
  openAs,
  openTab,
  screens,
  type Login,
  type System,
} from '../support/console-under-test.ts';
import { registerMember, type TestMember } from '../support/members.ts';
import { beginJob } from '../support/timed-job.ts';

/** The mail with the statement of reasons is sent every ten seconds. */
const mailMs = 25_000;

const words = 'It was a joke between friends.\nPlease ask <b>her</b>.';

const badge = (page: Page) => page.getByText('suspended', { exact: true });

/** Appeals, from the decision to the answer. */
export function appealCases(system: () => System): void {
  const open = (path: string, login: Login) => openAs(system(), `/service/${path}`, login);

  describe('the page of appeals', () => {
    let judge: Login;
    let colleague: Login;
    let member: TestMember;
    beforeAll(async () => {
      judge = await addStaff(system().stack, { '1': ['moderator'] });
      colleague = await addStaff(system().stack, { '1': ['moderator'] });
      member = await registerMember(system(), { siteid: 1 });
    });

    const atHand = (page: Page) =>
      page.getByRole('region', { name: `Appeal of member ${member.username} (${member.id})` });

    /** Suspends the member on their page, and appeals by the link of the mail. */
    const suspendAndAppeal = async () => {
      const { page } = await open(`members/${member.id}`, judge);
      await page.getByRole('button', { name: 'Suspend …' }).click();
      await page.getByRole('dialog').getByLabel('Ground').selectOption('It insults or threatens others.');
      await page.getByRole('dialog').getByLabel('Facts').fill('Three messages of May 3.');
      await page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
      await badge(page).waitFor();
      const folder = system().stack.environment('auth')['MAIL_DIR'] ?? '';
      const link = await linkOf(folder, member.email, '/appeal/', mailMs);
      const hosted = await openTab(system().browser);
      await hosted.page.goto(system().stack.url + link);
      await hosted.page.getByLabel('Your reasons').fill(words);
      await hosted.page.getByRole('button', { name: 'Send the appeal' }).click();
      await hosted.page.getByText('Your appeal was received').waitFor();
      return page;
    };

    it('take a suspension back after an appeal by mail, decided by another person, by keyboard', async () => {
      const first = await suspendAndAppeal();
      await first.getByRole('link', { name: 'Queue' }).click();
      await first.getByRole('link', { name: 'Appeals' }).last().click();
      await atHand(first).getByText('You made this decision.').waitFor();
      expect(
        await atHand(first)
          .getByRole('button', { name: /Grant|Refuse/ })
          .count(),
      ).toBe(0);

      const options = { viewport: screens.tablet };
      const { page, problems } = await openAs(system(), '/service/appeals', colleague, options);
      await atHand(page).getByText(words).waitFor();
      const decision = atHand(page).getByRole('region', { name: 'Decision' });
      await decision.getByText('Sent to the member: It insults or threatens others.').waitFor();
      await decision.getByText('Facts: Three messages of May 3.').waitFor();
      await page.keyboard.press('r');
      await page.getByRole('button', { name: /^1 It is sexually explicit/ }).waitFor();
      await page.getByRole('link', { name: 'Queue' }).click();
      await heading(page, 'Queue').waitFor();

      const job = beginJob(page);
      await job.click(page.getByRole('link', { name: 'Appeals' }).last());
      await decision.getByText('Facts: Three messages of May 3.').waitFor();
      await job.picture('appeals-tablet', 'An appeal on a tablet: what the member says, and the decision');
      await job.press('a');
      await job.fill(page.getByLabel('Answer to the member'), 'We asked her. You were right.');
      await job.click(page.getByRole('button', { name: 'Grant', exact: true }));
      await page
        .getByRole('status')
        .filter({ hasText: `Granted: appeal of member ${member.username} (${member.id})` })
        .waitFor();
      job.done('Decide on an appeal', 4);
      await page.getByText('Nothing here.').waitFor();

      await page.goto(`${system().base}/service/members/${member.id}`);
      await page.getByRole('region', { name: 'Decisions' }).getByText('Appeal granted').waitFor();
      expect(await badge(page).count()).toBe(0);
      expect(problems).toEqual([]);

      await first.getByRole('link', { name: 'Queue' }).click();
      await heading(first, 'Queue').waitFor();
    });

    it('open a report again after an appeal of its reporter, who gets no saved reason', async () => {
      const [reporter, reported] = await Promise.all([
        registerMember(system(), { siteid: 1 }),
        registerMember(system(), { siteid: 1 }),
      ]);
      await reporter.call('/report', { profileid: reported.id, reason: 'Asks for money' });
      const close = `/staff/reports/${reported.id}:${reporter.id}/close`;
      await callAsStaff(system().stack, judge, close, { outcome: 'none' });
      await reporter.call(`/members/self/reports/${reported.id}/appeal`, { text: 'He asked others, too.' });
      const { page, problems } = await open('appeals', colleague);
      await page
        .getByRole('heading', { name: `Appeal of member ${reporter.username} (${reporter.id})` })
        .waitFor();
      await page.getByText('He asked others, too.').waitFor();
      const decision = page.getByRole('region', { name: 'Decision' });
      await decision.getByText('Report closed').waitFor();
      const link = decision.getByRole('link', {
        name: `Report about member ${reported.username} (${reported.id})`,
      });
      expect(await link.getAttribute('href')).toContain(`/service/reports/${reported.id}/${reporter.id}`);
      await page.keyboard.press('r');
      await page.getByLabel('Answer to the member').waitFor();
      expect(await page.getByRole('button', { name: /^1 / }).count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.keyboard.press('a');
      await page.getByText('The report is open again, as the newest.').waitFor();
      await page.getByLabel('Answer to the member').fill('We look at it again.');
      await page.getByRole('button', { name: 'Grant', exact: true }).click();
      await page
        .getByRole('status')
        .filter({ hasText: `Granted: appeal of member ${reporter.username} (${reporter.id})` })
        .waitFor();
      expect(await reporter.read('/members/self/reports')).toMatchObject({
        reports: [{ state: 'received', appeal: { state: 'granted', answer: 'We look at it again.' } }],
      });
      expect(problems).toEqual([]);
    });

    it('say that somebody else has decided meanwhile', async () => {
      const { stack } = system();
      const other = await registerMember(system(), { siteid: 1 });
      await callAsStaff(stack, judge, `/staff/members/${other.id}/reject`, { reason_id: 'fake_profile' });
      const { decisions } = (await other.read('/members/self/decisions')) as {
        decisions: { decision_id: string }[];
      };
      const path = `/members/self/decisions/${decisions[0]?.decision_id}/appeal`;
      await other.call(path, { text: 'It is me.' });
      const { page, problems } = await open('appeals', colleague);
      await page.getByText('It is me.').waitFor();
      const third = await addStaff(stack, { '1': ['moderator'] });
      const { entries } = (await callAsStaff(stack, third, '/staff/appeals')) as {
        entries: { appeal_id: string }[];
      };
      await callAsStaff(stack, third, `/staff/appeals/${entries[0]?.appeal_id}/refuse`, { answer: 'No.' });
      await page.getByRole('button', { name: 'Refuse (R)' }).click();
      await page.getByRole('button', { name: /^1 / }).waitFor();
      await page.keyboard.press('1');
      await page.getByRole('alert').filter({ hasText: 'Somebody else has decided' }).waitFor();
      await page.getByText('Nothing here.').waitFor();
      expect(problems).toEqual([]);
    });
  });
}
