/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestClient, TestMember } from '../../support/people.ts';
import {
  begin,
  comeBack,
  enter,
  faultsOf,
  openPage,
  redirectUri,
  rulesOfColor,
  screens,
  startChromium,
} from '../../support/chromium-under-test.ts';

const { small: _small, ...usual } = screens;

const sizes = Object.entries(usual).flatMap(([screen, viewport]) =>
  [true, false].map((javaScriptEnabled) => ({
    name: `on a ${screen}${javaScriptEnabled ? '' : ' without JavaScript'}`,
    options: { viewport, javaScriptEnabled } satisfies BrowserContextOptions,
  })),
);

/** Expects no text wider than the screen, and a button of full size above the fold. */
async function expectToFit(page: Page): Promise<void> {
  const height = page.viewportSize()?.height ?? 0;
  const tooWide = await page.locator('main *:visible, header:visible').evaluateAll((shown) =>
    shown
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return left < 0 || right > innerWidth;
      })
      .map(({ outerHTML }) => outerHTML),
  );
  expect(tooWide).toEqual([]);
  const button = await page.getByRole('button').first().boundingBox();
  expect((button?.y ?? height) + (button?.height ?? 0)).toBeLessThanOrEqual(height);
  expect(button?.height).toBeGreaterThanOrEqual(44);
}

describe('the hosted pages in a browser', () => {
  let auth: ServiceUnderTest;
  let browser: Browser;
  let client: TestClient;
  let other: TestClient;
  let member: TestMember;
  let namesakes = 0;
  beforeAll(async () => {
    auth = await startService('pages');
    client = await auth.createClient({ redirect_uri: redirectUri });
    other = await auth.createClient({ redirect_uri: redirectUri });
    member = await auth.addMember();
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
  });

  /** One page for each kind of screen: to open a window takes the browser as long as most cases do. */
  const pages = new Map<string, Promise<Page>>();
  const withPage = async (options: BrowserContextOptions, work: (page: Page) => Promise<void>) => {
    const kind = JSON.stringify(options);
    const opened = pages.get(kind) ?? openPage(browser, options);
    pages.set(kind, opened);
    const page = await opened;
    await page.context().clearCookies();
    await work(page);
  };

  describe.each(sizes)('$name', ({ options }) => {
    it('sign a member in', () =>
      withPage(options, async (page) => {
        await begin(page, client, { siteid: '1' });
        await expectToFit(page);
        await enter(page, member);
        const back = await comeBack(page);
        expect(back.get('state')).toBe('a b&c');
        await auth
          .token({ ...client, grant_type: 'authorization_code', code: back.get('code') ?? '' })
          .expect(200);
      }));

    it('report a wrong password, keep the login, and allow a retry', () =>
      withPage(options, async (page) => {
        const careless = await auth.addMember();
        await begin(page, client, { siteid: '1' });
        await enter(page, { ...careless, password: 'not-the-password' });
        const alert = page.getByRole('alert');
        expect(await alert.textContent()).toContain('do not match');
        const login = page.getByLabel('Username or email');
        expect(await login.inputValue()).toBe(careless.username);
        expect(await login.getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'));
        expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
        await expectToFit(page);
        await enter(page, careless);
        expect((await comeBack(page)).get('code')).toBeTruthy();
      }));

    it('ask a deactivated member for the credentials twice', () =>
      withPage(options, async (page) => {
        const deactivated = await auth.addMember();
        const state = auth.profile.members.get(deactivated.member_id);
        if (state) state.deactivated = true;
        await begin(page, client, { siteid: '1' });
        await enter(page, deactivated);
        await page.getByRole('heading', { name: 'Reactivate your profile' }).waitFor();
        expect(state?.deactivated).toBe(true);
        await expectToFit(page);
        await enter(page, deactivated);
        expect((await comeBack(page)).get('code')).toBeTruthy();
        expect(state?.deactivated).toBe(false);
      }));

    it('offer a choice of sites', () =>
      withPage(options, async (page) => {
        namesakes += 1;
        const shared = { username: `Both${namesakes}`, password: 'violet-harbour-44' };
        await auth.addMember({ ...shared, siteid: 1 });
        await auth.addMember({ ...shared, siteid: 2 });
        await begin(page, client);
        await enter(page, shared);
        await page.getByRole('heading', { name: 'Choose a site' }).waitFor();
        await expectToFit(page);
        await page.getByRole('button', { name: 'Harbor Dates' }).click();
        expect((await comeBack(page)).get('code')).toBeTruthy();
      }));

    it('help with a forgotten password', () =>
      withPage(options, async (page) => {
        const forgetful = await auth.addMember();
        await begin(page, client, { siteid: '1' });
        await page.getByRole('link', { name: 'Forgot your password?' }).click();
        await page.getByLabel('Username or email').fill(forgetful.email);
        await expectToFit(page);
        await page.getByRole('button').click();
        await page.getByRole('heading', { name: 'Check your email' }).waitFor();
        const back = page.getByRole('link', { name: 'Back to sign-in' });
        const signIn = (await back.getAttribute('href')) ?? '';
        const mail = await auth.mailbox.wait(forgetful.email, 'Choose a new password');
        await page.goto(mail.path);
        await page.getByLabel('New password').fill('quiet-meadow-78');
        await expectToFit(page);
        await page.getByRole('button').click();
        await page.getByRole('heading', { name: 'Your password was changed' }).waitFor();
        await page.goto(signIn);
        await enter(page, { ...forgetful, password: 'quiet-meadow-78' });
        expect((await comeBack(page)).get('code')).toBeTruthy();
      }));
  });

  it.each(['en_US', 'es_ES', 'de_DE', 'fr_FR', 'el_GR', 'tr_TR'])(
    'fit the smallest phone, and have no fault, in %s',
    (locale) =>
      withPage({ viewport: screens.small }, async (page) => {
        const found: Record<string, unknown> = {};
        const look = async (name: string) => {
          const { lang, width } = await page.evaluate(() => ({
            lang: document.documentElement.lang,
            width: document.documentElement.scrollWidth,
          }));
          found[name] = { lang, isTooWide: width > screens.small.width, faults: await faultsOf(page) };
        };
        const setting = { locale, siteid: '1' };
        await begin(page, client, setting);
        await look('login');
        await page.locator('[name=login]').fill('nobody');
        await page.locator('[name=password]').fill('not-the-password');
        await page.getByRole('button').click();
        await page.getByRole('alert').waitFor();
        await look('wrong password');
        await page.getByRole('link').first().click();
        await look('forgotten');
        await begin(page, { ...client, client_id: 'nobody' }, setting);
        await look('error');
        await begin(page, client, setting);
        await page.locator('[name=login]').fill(member.username);
        await page.locator('[name=password]').fill(member.password);
        await Promise.all([comeBack(page), page.getByRole('button').click()]);
        await begin(page, other, setting);
        await page.locator('[name=continue]').waitFor();
        await look('continue as');
        const good = { lang: locale.replace('_', '-'), isTooWide: false, faults: [] };
        const names = ['login', 'wrong password', 'forgotten', 'error', 'continue as'];
        expect(found).toEqual(Object.fromEntries(names.map((name) => [name, good])));
      }),
  );

  it.each(['en_US', 'el_GR', 'tr_TR'])(
    'keep long words inside the screen and its button with text of twice the size, in %s',
    (locale) =>
      withPage({ viewport: screens.small }, async (page) => {
        const sleeper = await auth.addMember();
        const state = auth.profile.members.get(sleeper.member_id);
        if (state) state.deactivated = true;
        await begin(page, client, { locale, siteid: '1' });
        await page.locator('[name=login]').fill(sleeper.username);
        await page.locator('[name=password]').fill(sleeper.password);
        await page.getByRole('button').click();
        await page.locator('[name=proof]').first().waitFor({ state: 'attached' });
        const { width, above, aside } = await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%';
          const button = document.querySelector('button') ?? document.body;
          const text = document.createRange();
          text.selectNodeContents(button);
          const [inner, outer] = [text.getBoundingClientRect(), button.getBoundingClientRect()];
          return {
            width: document.documentElement.scrollWidth,
            above: inner.top - outer.top,
            aside: inner.left - outer.left,
          };
        });
        expect(width).toBe(screens.small.width);
        expect(Math.min(above, aside)).toBeGreaterThanOrEqual(4);
      }),
  );

  it('can be used with the keyboard alone, with a visible focus', () =>
    withPage({ viewport: screens.desktop }, async (page) => {
      const focused = () =>
        page.locator(':focus').evaluate((element) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          return {
            id: element.id || element.tagName,
            outlineStyle,
            wide: Number.parseFloat(outlineWidth) >= 2,
          };
        });
      const outlined = { outlineStyle: 'solid', wide: true };
      await begin(page, client, { siteid: '1' });
      await page.keyboard.press('Tab');
      expect(await focused()).toEqual({ id: 'login', ...outlined });
      await page.keyboard.type(member.username);
      await page.keyboard.press('Tab');
      expect(await focused()).toEqual({ id: 'password', ...outlined });
      await page.keyboard.type(member.password);
      for (const id of ['INPUT', 'BUTTON', 'A']) {
        await page.keyboard.press('Tab');
        expect(await focused()).toEqual({ id, ...outlined });
      }
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      expect((await comeBack(page)).get('code')).toBeTruthy();
    }));

  describe.each(['light', 'dark'] as const)('in %s colors', (colorScheme) => {
    it('have no accessibility violations that axe finds, on any page', () =>
      withPage({ viewport: screens.phone, colorScheme }, async (page) => {
        const careless = await auth.addMember();
        const found: Record<string, string[]> = {};
        // Colors are all that differs from the light page, as from hue to hue.
        const rules = colorScheme === 'light' ? undefined : rulesOfColor;
        const look = async (name: string, of = rules) => {
          const faults = await faultsOf(page, of);
          if (faults.length) found[name] = faults;
        };
        await begin(page, client, { siteid: '1' });
        await look('login');
        for (let hue = 0; hue < 6; hue += 1) {
          await page.evaluate((name) => (document.body.className = name), `hue-${hue}`);
          await look(`login, hue ${hue}`, rulesOfColor);
        }
        await enter(page, { ...careless, password: 'not-the-password' });
        await page.getByRole('alert').waitFor();
        await look('wrong password');
        await page.getByRole('link', { name: 'Forgot your password?' }).click();
        await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
        await look('forgotten');
        const forgetful = await auth.addMember();
        await page.getByLabel('Username or email').fill(forgetful.username);
        await page.getByRole('button').click();
        await page.getByRole('heading', { name: 'Check your email' }).waitFor();
        await look('link sent');
        await page.goto((await auth.mailbox.wait(forgetful.email, 'Choose a new password')).path);
        await look('new password');
        await page.goto((await auth.mailbox.wait(forgetful.email, 'Please confirm your email')).path);
        await look('confirm email');
        await page.getByRole('button').click();
        await page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor();
        await look('email confirmed');
        await page.goto('/password/none');
        await look('old link');
        await page.goto('/login/none');
        await look('expired');
        await begin(page, { ...client, client_id: 'nobody' });
        await look('error');
        const sleeper = await auth.addMember();
        const state = auth.profile.members.get(sleeper.member_id);
        if (state) state.deactivated = true;
        await begin(page, client, { siteid: '1' });
        await enter(page, sleeper);
        await page.getByRole('heading', { name: 'Reactivate your profile' }).waitFor();
        await look('reactivate');
        const shared = { username: `Twin${colorScheme}`, password: 'violet-harbour-45' };
        await auth.addMember({ ...shared, siteid: 1 });
        await auth.addMember({ ...shared, siteid: 2 });
        await begin(page, client);
        await enter(page, shared);
        await page.getByRole('heading', { name: 'Choose a site' }).waitFor();
        await look('choice of a site');
        await begin(page, client, { siteid: '1' });
        await enter(page, careless);
        await comeBack(page);
        await page.goto('/session/end');
        await look('sign out');
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
        await look('signed out');
        expect(found).toEqual({});
      }));
  });

  it('set only cookies for the sign-in, call no other server, and load less than 50 KB', async () => {
    // A page that has loaded nothing yet.
    const page = await openPage(browser, { viewport: screens.phone });
    const careless = await auth.addMember();
    const hosts = new Set<string>();
    const sizesOf: Promise<number>[] = [];
    const problems: string[] = [];
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    page.on('requestfinished', (request) =>
      sizesOf.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize)),
    );
    page.on('console', (message) => problems.push(message.text()));
    await begin(page, client, { siteid: '1' });
    await enter(page, { ...careless, password: 'not-the-password' });
    await page.getByRole('alert').waitFor();
    await enter(page, careless);
    await comeBack(page);
    expect([...hosts].toSorted()).toEqual(['auth.test', 'localhost']);
    const weight = (await Promise.all(sizesOf)).reduce((sum, size) => sum + size, 0);
    expect(weight).toBeGreaterThan(1_000);
    expect(weight).toBeLessThan(50 * 1024);
    const cookies = await page.context().cookies(['http://auth.test/', 'http://auth.test/login']);
    expect(cookies.map(({ name }) => name).toSorted()).toEqual(['_device', '_session', '_session.sig']);
    for (const { httpOnly, sameSite } of cookies) {
      expect(httpOnly).toBe(true);
      expect(sameSite).toBe('Lax');
    }
    // The app's page does not exist here, and the test may write before a page has its focus; nothing else may go wrong, e.g. with
    // the policy of a page.
    expect(problems.filter((text) => !/404|^Autofocus processing was blocked/.test(text))).toEqual([]);
  });
});
