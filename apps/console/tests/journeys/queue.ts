/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  addStaff,
  callAsStaff,
  openAs,
  type Login,
  type System,
  type Tab,
} from '../support/console-under-test.ts';
import { drawPhoto, registerMember, type TestMember } from '../support/members.ts';
import { beginJob } from '../support/timed-job.ts';

const members = 10;
const photosEach = 4;

const subject = (page: Page) => page.getByRole('region', { name: 'To decide' });
const photo = (page: Page) => subject(page).getByAltText(/^Photo \d+$/);

/** Does something, and waits for another photo to decide on, or until none is left. */
async function toNextPhoto(page: Page, act: () => Promise<unknown>): Promise<void> {
  const before = await photo(page).getAttribute('alt');
  await act();
  await page.waitForFunction(
    (was) => {
      const shown = document.querySelector('section[aria-label="To decide"] img')?.getAttribute('alt');
      const notes = Array.from(document.querySelectorAll('[role=status]'), ({ textContent }) => textContent);
      return notes.includes('No unclaimed entries are left.') || (shown !== undefined && shown !== was);
    },
    before,
    { polling: 'raf' },
  );
}

/** Does something, and waits for an entry of another member, or until none is left. */
async function toNextMember(page: Page, act: () => Promise<unknown>): Promise<void> {
  const before = await subject(page).getByRole('link').textContent();
  await act();
  await page.waitForFunction(
    (was) => document.querySelector('section[aria-label="To decide"] a')?.textContent !== was,
    before,
    { polling: 'raf' },
  );
}

const approveSelected = ({ page }: Tab) => page.getByRole('button', { name: 'Approve selected (1)' }).click();

/** The work of moderators. */
export function queueCases(system: () => System): void {
  describe('the queue', () => {
    let moderator: Login;
    let waiting: TestMember[];
    /** The name and number of a member with a rejected photo. */
    let rejected: string | null;
    beforeAll(async () => {
      moderator = await addStaff(system().stack, { '2': ['moderator'] });
      const image = await drawPhoto(system());
      waiting = await Promise.all(
        Array.from({ length: members }, () => registerMember(system(), { headline: 'Better in person' })),
      );
      await Promise.all(
        waiting.map(async (member) => {
          for (let count = 0; count < photosEach; count += 1) await member.upload(image);
        }),
      );
    });

    const open = (path: string, login = moderator) => openAs(system(), `/service/${path}`, login);

    it('shows the next photo before the answer to the decision, and takes a decision back', async () => {
      const { page, problems } = await open('queue/photo');
      await photo(page).waitFor();
      // Wait for the entries that are claimed ahead.
      await page.getByRole('region', { name: 'Background' }).waitFor();
      await page.waitForLoadState('networkidle');
      const first = await photo(page).getAttribute('alt');
      const { promise: held, resolve: answer } = Promise.withResolvers<void>();
      await page.route('**/staff/queue/*', async (route) => {
        await held;
        await route.continue();
      });
      await toNextPhoto(page, () => page.keyboard.press('a'));
      await page.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' });
      answer();
      await page.getByRole('button', { name: /^Undo \(\d+ s\)/ }).waitFor();
      await toNextPhoto(page, () => page.keyboard.press('u'));
      expect(await photo(page).getAttribute('alt')).toBe(first);
      // A reload keeps the claims of this account.
      await page.reload();
      await photo(page).waitFor();
      for (let skips = 0; skips < 5 && (await photo(page).getAttribute('alt')) !== first; skips += 1)
        await toNextPhoto(page, () => page.keyboard.press('s'));
      expect(await photo(page).getAttribute('alt')).toBe(first);
      expect(problems).toEqual([]);
    });

    it('says what became of a decision that a colleague has made meanwhile', async () => {
      const late = await registerMember(system());
      const select = async (login: Login) => {
        const tab = await open('queue/profile', login);
        await tab.page.getByLabel('Order').selectOption({ label: 'Flagged first' });
        await tab.page.waitForURL(/sort=risk/);
        await tab.page.getByText('Several at once').click();
        await tab.page.getByRole('checkbox', { name: new RegExp(late.username) }).check();
        return tab;
      };
      const colleague = await addStaff(system().stack, { '2': ['moderator'] });
      const [first, second] = [await select(moderator), await select(colleague)];
      await approveSelected(first);
      await first.page.getByRole('button', { name: /^Undo/ }).waitFor();
      await approveSelected(second);
      const alert = second.page.getByRole('alert').filter({ hasText: late.username });
      await alert.getByText('It was changed or decided in the meantime.').waitFor();
      await alert.getByRole('button', { name: 'Close' }).click();
      await alert.waitFor({ state: 'detached' });
      expect([...first.problems, ...second.problems]).toEqual([]);
    });

    it('forgets the typed facts with the selection that they are about', async () => {
      const [first, second] = [await registerMember(system()), await registerMember(system())];
      const { page, problems } = await open('queue/profile?sort=risk');
      await page.getByText('Several at once').click();
      const box = ({ username }: TestMember) => page.getByRole('checkbox', { name: new RegExp(username) });
      const reject = page.getByRole('button', { name: 'Reject selected (1)' });
      const facts = page.getByLabel('Facts for the member');
      await box(first).check();
      await reject.click();
      await facts.fill(`About ${first.username}`);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await box(first).uncheck();
      await box(second).check();
      await reject.click();
      expect(await facts.inputValue()).toBe('');
      await facts.fill(`About ${second.username}`);
      await box(first).check();
      expect(await facts.inputValue()).toBe('');
      expect(problems).toEqual([]);
    });

    it('shows colleagues what one works on, and gives it back when the page is left', async () => {
      const { page } = await open('queue/profile');
      await subject(page).waitFor();
      await page.waitForLoadState('networkidle');
      const colleague = await open('queue', await addStaff(system().stack, { '2': ['moderator'] }));
      const claims = colleague.page.getByRole('region', { name: 'Open claims' });
      await claims
        .getByText(/New profiles/)
        .first()
        .waitFor();
      expect(await claims.getByText('· you ·').count()).toBe(0);
      await page.getByRole('link', { name: 'Queue' }).click();
      await page.getByRole('region', { name: 'Open claims' }).waitFor();
      await page.waitForLoadState('networkidle');
      await colleague.page.reload();
      await claims.getByRole('heading').waitFor();
      expect(await claims.getByText(/New profiles/).count()).toBe(0);
    });

    it('is a day of fifty decisions', async () => {
      const { page, problems } = await open('queue');
      const link = (name: string) => page.getByRole('link', { name }).first();
      const job = beginJob(page);
      await job.click(link('New photos'));
      await photo(page).waitFor();
      await page.getByRole('region', { name: 'Background' }).getByText('Headline').waitFor();
      await job.picture(
        'queue-light',
        'The queue: a photo to decide on by keys, beside what is known of the member',
      );
      for (let count = 1; count <= members * photosEach; count += 1) {
        await toNextPhoto(page, async () => {
          if (count % 5) return job.press('a');
          rejected = await subject(page).getByRole('link').textContent();
          await job.press('r');
          await page
            .getByRole('region', { name: 'Why is it rejected?' })
            .getByLabel('Another reason')
            .waitFor();
          return job.press('3');
        });
      }
      await job.click(link('Queue'));
      await job.click(link('New profiles'));
      await job.click(page.getByText('Several at once'));
      for (const { username } of waiting)
        await job.check(page.getByRole('checkbox', { name: new RegExp(username) }));
      await job.click(page.getByRole('button', { name: `Approve selected (${members})` }));
      await page.getByRole('button', { name: /^Undo/ }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      job.done('Work through the queue', 70);
      expect(problems).toEqual([]);
    });

    it('keeps the reason of a rejection in the history', async () => {
      const { page, problems } = await open(`members/${/\((\d+)\)$/.exec(rejected ?? '')?.[1]}`);
      const history = page.getByRole('region', { name: 'Decisions' });
      await history.getByText('Reason: It shows somebody else, or a child.').first().waitFor();
      expect(problems).toEqual([]);
    });

    it('keeps what is typed about a member or an entry when another one comes', async () => {
      const member = await registerMember(system());
      const name = `${member.username} (${member.id})`;
      const login = await addStaff(system().stack, { '2': ['moderator'] });
      const { page, problems } = await open('queue/profile', login);
      const who = subject(page).getByRole('link');
      for (let skips = 0; skips < 40 && (await who.textContent()) !== name; skips += 1)
        await toNextMember(page, () => page.keyboard.press('s'));
      const reason = page.getByLabel('Another reason');
      await page.keyboard.press('r');
      await reason.fill('Not a face');
      await page.keyboard.press('Escape');
      await page.keyboard.press('r');
      expect(await reason.inputValue()).toBe('Not a face');
      await page.getByRole('button', { name: 'Cancel' }).click();
      const note = 'Looks like member 17.';
      await page.getByLabel('New note').fill(note);
      await toNextMember(page, () => page.getByRole('button', { name: 'Approve (A)' }).click());
      const unsaved = page.getByRole('region', { name: 'Notes not saved yet' });
      expect(await unsaved.getByLabel(`New note on ${name}`).inputValue()).toBe(note);
      await page.getByLabel('Order').selectOption({ label: 'Flagged first' });
      await page.waitForURL(/sort=risk/);
      expect(await unsaved.getByLabel(`New note on ${name}`).inputValue()).toBe(note);
      await unsaved.getByRole('button', { name: 'Add note' }).click();
      await unsaved.waitFor({ state: 'detached' });
      const path = `/staff/members/${member.id}/notes`;
      expect(await callAsStaff(system().stack, login, path)).toMatchObject({ entries: [{ text: note }] });
      expect(problems).toEqual([]);
    });

    it('gives the next entry by the filters of the list', async () => {
      await registerMember(system());
      const { page, problems } = await open('queue/profile');
      await subject(page).waitFor();
      await page.getByLabel('Waiting time').selectOption('1 day or longer');
      await page.getByText('No unclaimed entries are left.').waitFor();
      await page.getByText('Several at once').click();
      await page.getByText('Nothing here.').waitFor();
      expect(problems).toEqual([]);
    });

    it('enlarges a photo by Z, and shows beside it notes and a photo that was rejected before', async () => {
      const { stack } = system();
      const login = await addStaff(stack, { '2': ['moderator'] });
      const member = await registerMember(system());
      const upload = async () => ((await member.upload(await drawPhoto(system()))) as { id: number }).id;
      const before = await upload();
      await callAsStaff(stack, login, `/staff/photos/${before}/reject`, { reason: 'Nobody is on it' });
      const note = { text: 'Asked twice what is wrong with it.' };
      await callAsStaff(stack, login, `/staff/members/${member.id}/notes`, note);
      await upload();
      // Lower than the photo, which fits in it until it is enlarged.
      const low = { viewport: { width: 1280, height: 500 } };
      const { page, problems } = await openAs(system(), '/service/queue/photo', login, low);
      const who = subject(page).getByRole('link');
      for (
        let skips = 0;
        skips <= members && !(await who.textContent())?.includes(member.username);
        skips += 1
      )
        await toNextPhoto(page, () => page.keyboard.press('s'));
      const background = page.getByRole('region', { name: 'Background' });
      await background.getByAltText(`Photo ${before}`).first().waitFor();
      await background.getByText('rejected', { exact: true }).first().waitFor();
      await background.getByText(note.text).waitFor();
      const size = async () => (await photo(page).boundingBox())?.height ?? 0;
      const small = await size();
      await page.keyboard.press('z');
      await page.getByRole('button', { name: 'Original size', pressed: true }).waitFor();
      expect(await size()).toBeGreaterThan(small);
      await page.keyboard.press('z');
      await page.getByRole('button', { name: 'Original size', pressed: false }).waitFor();
      expect(await size()).toBe(small);
      expect(problems).toEqual([]);
    });
  });
}
