/// <reference lib="dom" />
import { until } from '@covalence/testing/until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  addStaff,
  callAsStaff,
  faultsOf,
  heading,
  openAs,
  type Login,
  type System,
} from '../support/console-under-test.ts';
import { buy, drawPhoto, registerMember, type TestMember } from '../support/members.ts';
import { beginJob } from '../support/timed-job.ts';

const dialog = (page: Page) => page.getByRole('dialog');

/** The reference of a member's only payment, as the payment provider names it. */
async function paymentOf({ stack }: System, { id }: TestMember, login: Login): Promise<string> {
  const { ledger } = (await callAsStaff(stack, login, `/staff/memberships/${id}`)) as {
    ledger: { reference: string }[];
  };
  return ledger[0]?.reference ?? '';
}

/** Reports, bans, signals of scams and refunds. */
export function reportCases(system: () => System): void {
  describe('the pages of reports, bans and memberships', () => {
    let moderator: Login;
    let reporter: TestMember;
    let reported: TestMember;
    let scammer: TestMember;
    beforeAll(async () => {
      moderator = await addStaff(system().stack, { '1': ['moderator'] });
      let other: TestMember;
      [scammer, other, reporter, reported] = await Promise.all([
        registerMember(system(), { siteid: 1, gender: 'Male', genderpreference: 'Female' }),
        registerMember(system(), { siteid: 1 }),
        registerMember(system(), { siteid: 1 }),
        registerMember(system(), { siteid: 1, headline: 'Send me money' }),
      ]);
      await reported.upload(await drawPhoto(system(), 'linear-gradient(crimson,wheat)'));
      await buy(scammer);
      for (const { id: profileid } of [other, reporter, reported])
        await scammer.call('/messages', { profileid, text: 'Buy a gift card at evil-shop.com' });
    });

    const open = (path: string, login = moderator) => openAs(system(), `/service/${path}`, login);
    const title = () => `Report about member ${reported.id}`;
    const file = () => reporter.call('/report', { profileid: reported.id, reason: 'Asks for money' });

    it('show what was reported beside what is there now, and close the report', async () => {
      await file();
      await reported.call('/members/self', { headline: 'Nothing to see' });
      const { page, problems } = await open('reports');
      await page.getByLabel('Category').selectOption('Scam');
      await page.getByText('Nothing here.').waitFor();
      await page.getByLabel('Category').selectOption('All');
      await page.getByRole('button', { name: 'Take the next report' }).click();
      await heading(page, title()).waitFor();
      const row = page.getByRole('row', { name: /^Headline changed/ });
      await row.getByText('Send me money').waitFor();
      await row.getByText('Nothing to see').waitFor();
      const photos = page.getByRole('region', { name: 'Photos as reported' });
      const then = photos.getByRole('img');
      expect(await then.evaluate((image) => getComputedStyle(image).filter)).toContain('blur');
      expect(await photos.getByText('on the ban list').count()).toBe(0);
      await page.getByLabel('New note').fill('Changed the headline after the report.');
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByText('· you').first().waitFor();
      await page.getByRole('button', { name: 'Close the report …' }).click();
      await dialog(page).getByLabel('Reason').fill('A joke between friends');
      await dialog(page).getByLabel('Measures were taken', { exact: true }).check();
      await dialog(page).getByRole('button', { name: 'Close the report', exact: true }).click();
      await heading(page, 'Reports').waitFor();
      await page.getByText('Nothing here.').waitFor();
      expect(await reporter.read('/members/self/reports')).toMatchObject({
        reports: [{ outcome: 'measures' }],
      });
      await page.goto(`${system().base}/service/members/${reported.id}`);
      const history = page.getByRole('region', { name: 'Decisions' });
      await history.getByText('Reason: A joke between friends').waitFor();
      expect(await history.getByText('Evidence viewed').count()).toBe(1);
      expect(problems).toEqual([]);
    });

    it('say that a colleague has the report', async () => {
      await file();
      const first = await open('reports');
      await first.page.getByRole('button', { name: 'Take the next report' }).click();
      await heading(first.page, title()).waitFor();
      const from = `Reported by member ${reporter.username} (${reporter.id})`;
      await first.page.getByRole('link', { name: from }).waitFor();
      const colleague = await addStaff(system().stack, { '1': ['moderator'] });
      const { page } = await open(`reports/${reported.id}/${reporter.id}`, colleague);
      await page.getByRole('alert').filter({ hasText: 'Somebody else is working on it.' }).waitFor();
      expect(await page.getByRole('button', { name: 'Close the report …' }).count()).toBe(0);
      const released = first.page.waitForResponse((answer) => answer.url().endsWith('/staff/queue/release'));
      await first.page.getByRole('link', { name: 'Reports' }).first().click();
      expect((await released).status()).toBe(200);
    });

    it('show the text that others read apart from the one that waits, of every report', async () => {
      const login = await addStaff(system().stack, { '2': ['moderator'] });
      const member = await registerMember(system(), { headline: 'Send me money' });
      await callAsStaff(system().stack, login, `/staff/members/${member.id}/approve`, {});
      await member.call('/members/self', { headline: 'I like hiking' });
      for (const one of [reporter, reported]) await one.call('/report', { profileid: member.id });
      const { page, problems } = await open(`reports/${member.id}/${reporter.id}`, login);
      const published = page.getByRole('row', { name: /^Headline Send me money/ });
      await published.getByText('Send me money').nth(1).waitFor();
      await page.getByRole('row', { name: /^Headline \(waits\) I like hiking/ }).waitFor();
      const approve = `/staff/members/${member.id}/texts/headline/approve`;
      await callAsStaff(system().stack, login, approve, {});
      await page.goto(`${system().base}/service/reports/${member.id}/${reported.id}`);
      await page.getByRole('row', { name: /^Headline changed Send me money I like hiking/ }).waitFor();
      expect(problems).toEqual([]);
    });

    it('suspend and ban after a confirmation, and take the ban back', async () => {
      const { page, problems } = await open(`reports/${reported.id}/${reporter.id}`);
      await page.getByRole('button', { name: 'Suspend …' }).click();
      await dialog(page).getByLabel('Reason').fill('Asks everybody for money');
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Suspend …' }).click();
      expect(await dialog(page).getByLabel('Reason').inputValue()).toBe('Asks everybody for money');
      await dialog(page)
        .getByLabel(/ban list/)
        .check();
      // A photo that anyone may have is left out.
      await dialog(page)
        .getByRole('checkbox', { name: /^Photo/ })
        .uncheck();
      await dialog(page).getByRole('button', { name: 'Suspend', exact: true }).click();
      await heading(page, 'Reports').waitFor();
      await page.getByText('Nothing here.').waitFor();
      await page.getByRole('link', { name: 'Ban list' }).click();
      const listed = page.waitForResponse((response) => response.url().includes(`member=${reported.id}`));
      await page.getByLabel('Number of the member').fill(String(reported.id));
      await listed;
      const email = page.getByRole('row', { name: /^email address/ });
      await email.getByText('Asks everybody for money').waitFor();
      expect(await page.getByRole('row', { name: /^photo/ }).count()).toBe(0);
      await email.getByRole('button', { name: 'Remove …' }).click();
      await dialog(page).getByRole('button', { name: 'Remove', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await email.getByRole('button', { name: 'Remove …' }).click();
      await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
      await email.waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    });

    it('clear an innocent member whom the ban list holds, on the page and in the queue', async () => {
      const picture = await drawPhoto(
        system(),
        'repeating-radial-gradient(circle at 30% 40%,black 0 25px,wheat 0 60px)',
      );
      const grifter = await registerMember(system(), { siteid: 1 });
      await grifter.upload(picture);
      const suspension = { ban: true, reason: 'Asked for money' };
      await callAsStaff(system().stack, moderator, `/staff/members/${grifter.id}/suspend`, suspension);
      const email = grifter.email.replace('@', '+again@');
      const innocent = await registerMember(system(), { siteid: 1, email });
      await innocent.upload(picture);
      const { page, problems } = await open(`members/${innocent.id}`);
      const matches = page.getByRole('region', { name: 'Matches of the ban list' });
      await matches.getByRole('row', { name: /^email address.*Asked for money/ }).waitFor();
      await matches.getByRole('row', { name: /^photo.*Asked for money/ }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Approve …' }).first().click();
      await dialog(page)
        .getByLabel(/remove the entries/)
        .check();
      await dialog(page).getByRole('button', { name: 'Approve', exact: true }).click();
      await matches.getByRole('row', { name: /^email address/ }).waitFor({ state: 'detached' });
      await page.goto(`${system().base}/service/queue/photo?flagged=true`);
      await page.getByRole('region', { name: 'To decide' }).getByText('Asked for money').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await page.getByLabel(/remove the entries/).check();
      await page.keyboard.press('a');
      await page.getByRole('button', { name: /^Undo/ }).waitFor();
      await page.goto(`${system().base}/service/bans`);
      await page.getByLabel('Number of the member').fill(String(grifter.id));
      await page.getByText('Nothing here.').waitFor();
      expect(problems).toEqual([]);
    });

    it('refund a payment for a reason, and say why a refund is refused', async () => {
      await buy(reporter);
      const disputing = await registerMember(system(), { siteid: 1 });
      await buy(disputing, `dispute:${disputing.id}`);
      const support = await addStaff(system().stack, { '1': ['support'] });
      const { page, problems } = await open(`members/${disputing.id}`, support);
      const membership = page.getByRole('region', { name: 'Membership' });
      await membership.getByRole('button', { name: 'Refund …' }).click();
      await dialog(page).getByLabel('Reason').fill('Charged twice');
      await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
      await dialog(page)
        .getByText(/is not paid, or is disputed/)
        .waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });

      await page.getByRole('link', { name: 'Find a member' }).click();
      const reference = await paymentOf(system(), reporter, support);
      const job = beginJob(page);
      await job.choose(page.getByLabel('Search by'), 'Payment reference');
      await job.fill(page.getByLabel('Value'), reference);
      await job.click(page.getByRole('button', { name: 'Find', exact: true }));
      await heading(page, `Member ${reporter.id}`).waitFor();
      await job.click(membership.getByRole('button', { name: 'Refund …' }));
      await job.fill(dialog(page).getByLabel('Reason'), 'Charged twice');
      await job.picture('refund-light', 'A refund: its consequence, and the reason');
      await job.click(dialog(page).getByRole('button', { name: 'Refund', exact: true }));
      await membership.getByRole('row', { name: /Refund.*Charged twice/ }).waitFor();
      job.done('Refund a payment', 6);
      expect(await membership.getByRole('button', { name: 'Refund …' }).count()).toBe(0);
      await membership.getByText('none').or(membership.getByText('ended')).waitFor();
      expect(problems).toEqual([]);
    });

    it('show whom signals of scams flag, why, and that staff dismissed them', async () => {
      const { page, problems } = await open('scams');
      const flagged = page.getByRole('region', { name: 'Flagged members' });
      const row = flagged.getByRole('row', { name: new RegExp(`^${scammer.username} \\(${scammer.id}\\) `) });
      // The job reads messages every 15 seconds.
      const look = async () => {
        await page.reload();
        await flagged.getByText('Nothing here.').or(row).waitFor();
        return row.count();
      };
      await until('flagged', look);
      await row.getByText('links, words about money, new account').waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await row.getByRole('link').click();
      const score = page.getByRole('region', { name: 'Signals of scams' });
      await score.getByText('11 (threshold 9)').waitFor();
      await page.goBack();
      await row.getByRole('button', { name: 'Not a scam …' }).click();
      await dialog(page).getByRole('button', { name: 'Not a scam', exact: true }).click();
      await row.waitFor({ state: 'detached' });
      await page.goto(`${system().base}/service/members/${scammer.id}`);
      await score.getByText('2 (threshold 9)').waitFor();
      await page
        .getByRole('region', { name: 'Decisions' })
        .getByText('Signals of a scam dismissed')
        .waitFor();
      expect(problems).toEqual([]);
    });

    it('show the precision of signals of scams', async () => {
      const { page, problems } = await open('find');
      const counts = { flagged: 30, decided: 25, fraud: 20, precision: 0.8 };
      const rules = { siteid: 1, version: 'a1b2c3', mode: 'shadow', in_force: true, ...counts };
      const few = { signal: 'links', flagged: 4, decided: 3, fraud: null, precision: null };
      await page.route('**/staff/scam-signals/precision', (route) =>
        route.fulfill({ json: { versions: [{ ...rules, signals: [few] }] } }),
      );
      await page.getByRole('link', { name: 'Signals of scams' }).click();
      const precision = page.getByRole('region', { name: 'Precision' });
      await precision.getByRole('row', { name: /^1 a1b2c3.* 30 25 20 80 %$/ }).waitFor();
      await precision.getByRole('row', { name: /links 4 3 – / }).waitFor();
      expect(problems).toEqual([]);
    });

    it('show the points of a member, and what they propose', async () => {
      const login = await addStaff(system().stack, { '3': ['moderator'] });
      const member = await registerMember(system(), { siteid: 3 });
      const fake = { reason_id: 'fake_profile' };
      await callAsStaff(system().stack, login, `/staff/members/${member.id}/reject`, fake);
      const { page, problems } = await open(`members/${member.id}`, login);
      const points = page.getByRole('region', { name: 'Points' });
      await points.getByText('3 points').waitFor();
      await points.getByText('They propose a suspension. You decide.').waitFor();
      expect(problems).toEqual([]);
    });

    it('refund a large payment and delete by two people, and undo the deletion', async () => {
      const member = await registerMember(system(), { siteid: 3, headline: 'Quiet and kind' });
      await member.call('/packages/purchase', { package_id: 4, rate_id: 403, receipt: 'large' });
      const [ann, bob] = await Promise.all(
        [1, 2].map(() => addStaff(system().stack, { '3': ['support', 'moderator'] })),
      );
      if (!ann || !bob) throw new Error('there are two accounts');
      const asking = await open(`members/${member.id}`, ann);
      const membership = asking.page.getByRole('region', { name: 'Membership' });
      await membership.getByRole('button', { name: 'Correct …' }).click();
      const form = dialog(asking.page);
      await form.getByLabel('Reason').fill('Charged twice');
      await form.getByRole('button', { name: 'Preview' }).click();
      await form.getByText('Nothing would change').waitFor();
      await form.getByLabel('Refund a payment').selectOption('$119.88');
      await form.getByRole('button', { name: 'Preview' }).click();
      await form.getByText('It will wait for a second person.').waitFor();
      await form.getByRole('row', { name: /^Membership active none/ }).waitFor();
      expect(await faultsOf(asking.page)).toEqual([]);
      await form.getByRole('button', { name: 'Correct', exact: true }).click();
      await form.waitFor({ state: 'detached' });
      await membership.getByRole('status').getByText('It waits for a second person:').waitFor();
      await asking.page.getByRole('button', { name: 'Delete …' }).click();
      await form.getByLabel('Reason').fill('Asks for money');
      await form.getByRole('button', { name: 'Delete', exact: true }).click();
      await form.waitFor({ state: 'detached' });
      await asking.page.getByRole('status').getByRole('link').first().click();
      await asking.page.getByRole('row', { name: /Deletion.*Asks for money/ }).waitFor();
      await asking.page
        .getByRole('region', { name: 'What became of requests' })
        .getByText('Nothing here.')
        .waitFor();
      expect(await asking.page.getByRole('button', { name: 'Approve …' }).count()).toBe(0);
      expect(await faultsOf(asking.page)).toEqual([]);

      const { page, problems } = await open(`members/${member.id}`, bob);
      await page.getByRole('button', { name: 'Refund …' }).click();
      await dialog(page).getByLabel('Reason').fill('Charged twice');
      await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
      await dialog(page).getByText('A colleague has asked for it already').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Waits for a second person' }).click();
      for (const what of [/Refund.*\$119\.88.*Charged twice/, /Deletion.*Asks for money/]) {
        const row = page.getByRole('region', { name: 'What waits' }).getByRole('row', { name: what });
        await row.getByRole('button', { name: 'Approve …' }).click();
        await dialog(page).getByRole('button', { name: 'Approve', exact: true }).click();
        await row.waitFor({ state: 'detached' });
        await dialog(page).waitFor({ state: 'detached' });
      }
      await asking.page.reload();
      const ended = asking.page.getByRole('region', { name: 'What became of requests' });
      await ended.getByRole('row', { name: /Deletion.*Asks for money.* done/ }).waitFor();
      await ended.getByRole('row', { name: /Refund.*Charged twice.* done/ }).waitFor();
      expect(await faultsOf(asking.page)).toEqual([]);
      await page.goto(`${system().base}/service/members/${member.id}`);
      await page.getByRole('button', { name: 'Undo the deletion …' }).click();
      await dialog(page).getByLabel('Reason').fill('Somebody else');
      await dialog(page).getByRole('button', { name: 'Undo the deletion', exact: true }).click();
      await page.getByRole('region', { name: 'Decisions' }).getByText('Deletion undone').waitFor();
      await page.getByRole('button', { name: 'Undo the deletion …' }).waitFor({ state: 'detached' });
      const theirs = page.getByRole('region', { name: 'Membership' });
      await theirs.getByRole('row', { name: /Refund.*Charged twice/ }).waitFor();
      expect([...problems, ...asking.problems]).toEqual([]);
    });
  });
}
