/// <reference lib="dom" />
import { linkOf } from '@covalence/testing/mails';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addStaff,
  callAsStaff,
  heading,
  openAs,
  type Login,
  type System,
} from '../support/console-under-test.ts';
import { drawPhoto, registerMember, type TestMember } from '../support/members.ts';

/** Tests of finding a member and working with their data. */
export function findCases(system: () => System): void {
  describe('the pages that find a member', () => {
    let moderator: Login;
    let member: TestMember;
    beforeAll(async () => {
      moderator = await addStaff(system().stack, { '2': ['moderator'] });
      member = await registerMember(system(), { headline: 'Better <b>in person</b>', q_lessons: 'Be kind' });
      await member.upload(await drawPhoto(system()));
    });

    const open = (path: string, login = moderator) => openAs(system(), `/service/${path}`, login);

    it('find by email address, which stands in no address, title or storage', async () => {
      const { page, problems } = await open('find');
      const asked: string[] = [];
      page.on('request', (one) => asked.push(one.url()));
      await page.getByLabel('Value').fill(member.email);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await heading(page, `Member ${member.id}`).waitFor();
      await page.getByRole('region', { name: 'Texts' }).getByText('Better <b>in person</b>').waitFor();
      await page.getByRole('row', { name: 'What has life taught you? Be kind' }).waitFor();
      await page.getByText('Profile pending').waitFor();
      await page.getByRole('region', { name: 'Signals of scams' }).getByText('new account').waitFor();
      const kept = await page.evaluate(() =>
        [localStorage, sessionStorage].flatMap((one) => Object.entries(one)).join(),
      );
      const traces = [...asked, page.url(), await page.title(), kept].join('\n');
      expect(traces).not.toContain(member.username);
      expect(traces).toContain(`/service/members/${member.id}`);
      await page.goBack();
      await page.getByRole('link', { name: `${member.username} (${member.id})` }).waitFor();
      expect(await page.getByLabel('Value').inputValue()).toBe(member.email);
      expect(problems).toEqual([]);
    });

    it('find a number as a username too, and open neither member by themselves', async () => {
      const named = await registerMember(system(), { username: String(member.id) });
      const { page, problems } = await open('find');
      await page.getByLabel('Value').fill(` ${member.id} `);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      const found = page.getByRole('region', { name: 'Members found' });
      await found.getByRole('link', { name: `${member.username} (${member.id})` }).waitFor();
      await found.getByRole('link', { name: `${member.id} (${named.id})` }).waitFor();
      await page.getByLabel('Value').fill(` ${named.id} `);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await heading(page, `Member ${named.id}`).waitFor();
      expect(problems).toEqual([]);
    });

    it('show photos small and large, gray or blurred as one chooses', async () => {
      const { page, problems } = await open(`members/${member.id}`);
      const photos = page.getByRole('region', { name: 'Photos' });
      const small = photos.getByRole('img');
      await small.waitFor();
      expect(
        await small.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      ).toBeGreaterThan(0);
      await photos.getByRole('button', { name: 'Photos: clear' }).click();
      await photos.getByRole('button', { name: 'Photos: gray' }).click();
      expect(await small.evaluate((image) => getComputedStyle(image).filter)).toContain('blur');
      await photos.getByRole('button', { name: /^Enlarge/ }).click();
      await page
        .getByRole('dialog')
        .getByAltText(/^Photo/)
        .waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    });

    it('keep notes for colleagues, say who has looked, and read sign-ins only on request', async () => {
      const colleague = await addStaff(system().stack, { '2': ['support'] });
      const search = { by: 'username', value: member.username };
      await callAsStaff(system().stack, colleague, '/staff/members/search', search);
      await callAsStaff(system().stack, colleague, `/staff/members/${member.id}`);
      const { page, problems } = await open(`members/${member.id}`);
      const looks = page.getByRole('region', { name: 'Decisions' });
      for (const what of ['Found by a search', 'Member opened'])
        await looks
          .locator('div')
          .filter({ has: page.getByText(what), hasText: `· ${colleague.username}` })
          .last()
          .waitFor();
      await page.getByLabel('New note').fill('Asked twice about <i>refunds</i>.');
      await page.getByLabel('It is about other people').check();
      await page.getByRole('button', { name: 'Add note' }).click();
      const notes = page.getByRole('region', { name: 'Notes' });
      await notes.getByText('Asked twice about <i>refunds</i>.').waitFor();
      await notes.getByText('you · about other people').waitFor();
      expect(await page.getByLabel('New note').inputValue()).toBe('');
      const asked: string[] = [];
      page.on('request', (one) => asked.push(one.url()));
      const signIns = page.getByRole('region', { name: 'Sign-ins and recovery' });
      await signIns.getByRole('button', { name: 'Show', exact: true }).click();
      await signIns.getByText(/^Since .*, last used/).waitFor();
      await page.getByRole('button', { name: 'Approve …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('region', { name: 'Decisions' }).getByText('Profile approved').waitFor();
      await page.getByRole('button', { name: 'Approve …' }).waitFor({ state: 'detached' });
      expect(asked.filter((url) => url.endsWith('/sessions'))).toHaveLength(1);
      expect(problems).toEqual([]);
    });

    it('keep a typed note when its member has another name meanwhile', async () => {
      const newcomer = await registerMember(system());
      const { page, problems } = await open(`members/${newcomer.id}`);
      await page.getByLabel('New note').fill('Asks for another name.');
      await page.route(`**/staff/members/${newcomer.id}`, async (route) => {
        const response = await route.fetch();
        const json = { ...((await response.json()) as object), username: 'renamed' };
        await route.fulfill({ response, json });
      });
      await page.getByRole('button', { name: 'Approve …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByText(`renamed (${newcomer.id})`).first().waitFor();
      expect(await page.getByLabel('New note').inputValue()).toBe('Asks for another name.');
      expect(problems).toEqual([]);
    });

    it('end a sign-in, and begin and stop the recovery of an account', async () => {
      const caller = await registerMember(system());
      const support = await addStaff(system().stack, { '2': ['support'] });
      const { page, problems } = await open(`members/${caller.id}`, support);
      const part = page.getByRole('region', { name: 'Sign-ins and recovery' });
      const dialog = page.getByRole('dialog');
      const confirm = async (name: string) => {
        await part.getByRole('button', { name: `${name} …` }).press('Enter');
        // Until the dialog has taken the focus, the key may reach another of its buttons.
        await dialog.locator(':focus').waitFor();
        await dialog.getByRole('button', { name, exact: true }).press('Enter');
        await dialog.waitFor({ state: 'detached' });
      };
      await part.getByText('Showing them is recorded.').waitFor();
      await part.getByRole('button', { name: 'Show', exact: true }).press('Enter');
      await part.getByText(/^Since .*, last used/).waitFor();
      await confirm('End');
      await part.getByText('Signed in nowhere.').waitFor();
      await expect(caller.read('/users/self')).rejects.toThrow('401');
      await confirm('Recover the account');
      await part.getByRole('status').filter({ hasText: 'Customer service recovers this account.' }).waitFor();
      const folder = system().stack.environment('auth')['MAIL_DIR'] ?? '';
      await linkOf(folder, caller.email, '/password/');
      await part.getByRole('button', { name: 'Send the link again …' }).waitFor();
      await confirm('Stop the recovery');
      await part.getByRole('status').waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    });

    it('refuse a member of another site, and show support no reports', async () => {
      const other = await addStaff(system().stack, { '1': ['support'] });
      const { page } = await open('find', other);
      await page.getByLabel('Value').fill(member.username);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByRole('status').filter({ hasText: 'No member was found.' }).waitFor();
      await page.goto(`${system().base}/service/members/${member.id}`);
      await page.getByRole('alert').filter({ hasText: 'no role for this' }).waitFor();
      const support = await addStaff(system().stack, { '2': ['support'] });
      const mine = await open(`members/${member.id}`, support);
      await mine.page.getByRole('region', { name: 'Notes' }).waitFor();
      expect(await mine.page.getByRole('region', { name: 'Reports' }).count()).toBe(0);
    });
  });
}
