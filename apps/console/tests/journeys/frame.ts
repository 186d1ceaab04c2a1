/// <reference lib="dom" />
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addStaff,
  callAsStaff,
  faultsOf,
  heading,
  openAs,
  openTab,
  screens,
  settings,
  shots,
  signIn,
  tooWide,
  unseenButtons,
  type Login,
  type System,
} from '../support/console-under-test.ts';
import { countMonths } from '../support/counted-months.ts';
import { gradeByKeys, makeJudgments, runNow } from './judgments.ts';
import { drawPhoto, registerMember, type TestMember } from '../support/members.ts';
import { compare } from './search.ts';

/** Bytes on the wire that the first page may take. */
const pageBudget = 400 * 1024;

/** Milliseconds from opening the console, with a session, to its first page. */
const firstPageMs = 2_000;

/** Milliseconds by which a clock of a test goes on. */
const stepMs = 10;

const languages = {
  'de-DE': 'Geltende Einstellungen',
  'el-GR': 'Ρυθμίσεις σε ισχύ',
  'en-US': 'Settings in force',
  'es-ES': 'Ajustes vigentes',
  'fr-FR': 'Réglages en vigueur',
  'tr-TR': 'Geçerli ayarlar',
};

/** Tests of the parts of every page. */
export function frameCases(system: () => System): void {
  describe('every page of the console', () => {
    let searcher: Login;
    let admin: Login;
    let member: TestMember;
    let report: string;
    beforeAll(async () => {
      searcher = await addStaff(system().stack, { '*': ['search'] });
      admin = await addStaff(system().stack, { '*': ['admin'] });
      member = await registerMember(system(), { headline: 'Better in person' });
      await member.upload(await drawPhoto(system()));
      const reported = await registerMember(system(), { siteid: 1, headline: 'Send me money' });
      await member.call('/report', { profileid: reported.id, category: 'scam', reason: 'Asks for money' });
      report = `${reported.id}/${member.id}`;
      await countMonths(system(), 6);
      const rejected = await registerMember(system(), { siteid: 1, headline: 'Call me' });
      const judge = await addStaff(system().stack, { '1': ['moderator'] });
      const why = { reason_id: 'fake_profile', facts: 'The photos are of somebody else.' };
      await callAsStaff(system().stack, judge, `/staff/members/${rejected.id}/reject`, why);
      const { decisions } = (await rejected.read('/members/self/decisions')) as {
        decisions: { decision_id: string }[];
      };
      const appeal = `/members/self/decisions/${decisions[0]?.decision_id}/appeal`;
      await rejected.call(appeal, { text: 'They show me, ten years ago.' });
    });

    it.each(Object.entries(languages))('speaks %s', async (locale, title) => {
      const { page } = await openTab(system().browser, { locale });
      const untranslated = page.getByText(/^[a-z]+\.[a-z.]+$/i);
      await signIn(page, `${system().base}/search/settings`, admin);
      await heading(page, title).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      expect(await untranslated.count()).toBe(0);
      await page.goto(`${system().base}/service/queue/photo`);
      await page.getByRole('img').first().waitFor();
      expect(await untranslated.count()).toBe(0);
      await page.goto(`${system().base}/operators/letters`);
      await page.getByText('pnpm covalence events').waitFor();
      expect(await untranslated.count()).toBe(0);
    });

    it('reload once for a file that a new version has replaced, and not for ever', async () => {
      const { page } = await openAs(system(), '/search/settings', searcher);
      await settings(page).waitFor();
      let asked = 0;
      await page.route(/synonyms-page/, (route) => {
        asked += 1;
        return route.fulfill({ status: 404 });
      });
      await page.getByRole('link', { name: 'Synonyms' }).click();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      expect(asked).toBe(2);
    });

    it('stays small', async () => {
      const { page } = await openTab(system().browser);
      let bytes = 0;
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      await signIn(page, system().base, searcher);
      await page.getByRole('cell', { name: 'as configured' }).waitFor();
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThan(pageBudget);
    });

    it('shows its first page in two seconds', async () => {
      const { page } = await openAs(system(), '/search/settings', searcher);
      const loads: number[] = [];
      for (let count = 0; count < 3; count += 1) {
        const begun = performance.now();
        await page.goto(`${system().base}/search/settings`);
        await settings(page).waitFor();
        loads.push(performance.now() - begun);
      }
      const [, median] = loads.sort((one, other) => one - other);
      expect(median).toBeLessThan(firstPageMs);
    });

    it('says that it works after 300 ms, until it is done', async () => {
      const { page } = await openTab(system().browser);
      await page.clock.install();
      await signIn(page, `${system().base}/operators/letters`, admin);
      await page.getByText('There are no dead letters.').waitFor();
      const bar = page.getByRole('progressbar', { name: 'Loading' });
      await bar.waitFor({ state: 'detached' });
      const { promise: held, resolve: answer } = Promise.withResolvers<void>();
      await page.route('**/staff/operations/dead-letters', async (route) => {
        await held;
        await route.continue();
      });
      await page.clock.pauseAt(Date.now() + 1_000);
      await page.getByRole('button', { name: 'Refresh' }).click();
      let waitedMs = 0;
      for (; waitedMs < 1_000 && !(await bar.count()); waitedMs += stepMs) await page.clock.runFor(stepMs);
      expect(waitedMs).toBeGreaterThanOrEqual(300);
      expect(waitedMs).toBeLessThan(400);
      answer();
      await page.clock.resume();
      await bar.waitFor({ state: 'detached' });
    });

    describe.each(Object.entries(screens))('on a %s', (screen, viewport) => {
      // The colors are the same at every width.
      const colors = { desktop: ['light', 'dark'], phone: ['dark'], tablet: ['light'] } as const;
      const schemes = colors[screen as keyof typeof colors];
      const start = async (colorScheme: 'light' | 'dark', path: string) => {
        const { page, problems } = await openAs(system(), path, admin, { viewport, colorScheme });
        const check = async (name: string) => {
          if (shots)
            await page.screenshot({ path: `${shots}/${name}-${screen}-${colorScheme}.png`, fullPage: true });
          const found = [await faultsOf(page), await tooWide(page), await unseenButtons(page)];
          expect([name, ...found]).toEqual([name, [], 0, []]);
        };
        return { page, problems, check };
      };

      it.each(schemes)('is accessible and fits in %s colors', async (colorScheme) => {
        const { base, stack } = system();
        const { page, problems, check } = await start(colorScheme, '/search/settings');
        await page.getByRole('cell', { name: 'as configured' }).waitFor();
        await check('settings');
        if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Synonyms' }).click();
        await page.getByLabel('New language').fill('tr');
        await page.getByRole('button', { name: 'Add' }).click();
        await page.getByLabel('Rules').waitFor();
        await check('synonyms');
        if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Compare' }).click();
        await compare(page, stack.demo.members[0]?.id ?? 0);
        await page.getByRole('slider').first().press('End');
        await page.getByRole('region', { name: 'Changed settings' }).waitFor();
        await page.getByText('Why', { exact: true }).first().click();
        await page.getByText('All settings').click();
        await check('compare');
        if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Experiments' }).click();
        await heading(page, 'Experiments').waitFor();
        const none = page.getByText('There are no experiments yet.');
        await none.or(page.getByRole('region', { name: 'taller' })).waitFor();
        await check('experiments');
        if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'What members search' }).click();
        await page.getByRole('region', { name: 'Grades from use' }).waitFor();
        await check('usage');
        if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Judgments' }).click();
        await heading(page, 'Judgments').waitFor();
        await check('judgment-sets');
        await makeJudgments(page, `${screen} ${colorScheme}`, stack.demo.members[0]?.id ?? 0);
        await gradeByKeys(page, '32');
        await runNow(page);
        await check('judgments');
        await page.goto(`${base}/signed-out`);
        await page.getByRole('status').waitFor();
        await check('signed-out');
        expect(problems).toEqual([]);
      });

      it.each(schemes)(
        'has customer service in %s colors',
        async (colorScheme) => {
          const { page, problems, check } = await start(colorScheme, '/service/find');
          await page.getByLabel('Value').fill(String(member.id));
          await page.getByLabel('Search by').selectOption('Number or UUID');
          await page.getByRole('button', { name: 'Find', exact: true }).click();
          await page
            .getByRole('region', { name: 'Decisions' })
            .getByText('Found by a search')
            .first()
            .waitFor();
          const signIns = page.getByRole('region', { name: 'Sign-ins and recovery' });
          await signIns.getByRole('button', { name: 'Show', exact: true }).click();
          await signIns.getByText(/^Since .*, last used/).waitFor();
          await check('member');
          await page.goBack();
          await page.getByRole('region', { name: 'Members found' }).waitFor();
          await check('find');
          if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('link', { name: 'Queue' }).click();
          const photos = page.locator('a[href*="/queue/photo?site=2"]');
          await photos.waitFor();
          await check('queue');
          await photos.click();
          await page.getByRole('region', { name: 'To decide' }).getByRole('img').waitFor();
          await check('review');
          await page.getByRole('button', { name: 'Reject' }).click();
          await page
            .getByRole('region', { name: 'Why is it rejected?' })
            .getByLabel('Another reason')
            .waitFor();
          await check('reason');
          await page.getByText('Several at once').click();
          await page.getByRole('checkbox', { name: new RegExp(member.username) }).waitFor();
          await check('several');
          if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('link', { name: 'Reports' }).click();
          await page.locator(`a[href$="/service/reports/${report}"]`).waitFor();
          await check('reports');
          await page.locator(`a[href$="/service/reports/${report}"]`).click();
          await page.getByRole('columnheader', { name: 'As reported' }).waitFor();
          await check('report');
          await page.getByRole('button', { name: 'Suspend …' }).click();
          await page.getByRole('dialog').getByLabel('Reason').waitFor();
          await check('suspend');
          await page.keyboard.press('Escape');
          if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('link', { name: 'Ban list' }).click();
          await page.getByLabel('Number of the member').waitFor();
          await check('bans');
          if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('link', { name: 'Signals of scams' }).click();
          await page
            .getByRole('cell', { name: /shadow/ })
            .first()
            .waitFor();
          await check('scams');
          if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('link', { name: 'Appeals' }).click();
          await page.getByText('They show me, ten years ago.').waitFor();
          await check('appeals');
          await page.keyboard.press('r');
          await page.getByLabel('Answer to the member').waitFor();
          await check('refuse');
          if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('link', { name: 'Audit log' }).click();
          await page.getByRole('cell', { name: /^POST/ }).first().waitFor();
          await check('audit');
          if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
          await page.getByRole('link', { name: 'Waits for a second person' }).click();
          await heading(page, 'Waits for a second person').waitFor();
          await check('approvals');
          expect(problems).toEqual([]);
        },
        90_000,
      );

      it.each(schemes)('has operations in %s colors', async (colorScheme) => {
        const { page, problems, check } = await start(colorScheme, '/operators/status');
        await page.getByRole('row', { name: /^updates ready/ }).waitFor();
        await check('operations');
        if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Dead letters', exact: true }).click();
        await page.getByText('There are no dead letters.').waitFor();
        await check('dead-letters');
        if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Runbooks' }).click();
        await page.getByRole('heading', { name: 'CovalenceServiceDown' }).waitFor();
        await check('runbooks');
        if (screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: 'Transparency report' }).click();
        await page.getByRole('button', { name: 'Show', exact: true }).click();
        await page.getByRole('row', { name: /^Reports decided total/ }).waitFor();
        await check('transparency');
        expect(problems).toEqual([]);
      });
    });
  });
}
