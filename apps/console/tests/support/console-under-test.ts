/// <reference lib="dom" />
import { AxeBuilder } from '@axe-core/playwright';
import { chromiumPath } from '@covalence/testing/chromium';
import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { writeFile } from 'node:fs/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Screens that every page has to do on. */
export const screens = {
  phone: { width: 375, height: 667 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1280, height: 800 },
} as const;

/** A folder for pictures of the pages. */
export const shots = process.env['SCREENSHOTS'];

/** The system that the cases in `journeys/` share. */
export interface System {
  readonly stack: StackUnderTest;
  readonly browser: Browser;
  /** The address of the console. */
  readonly base: string;
}

/** The credentials of a staff account. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

type Role = 'moderator' | 'support' | 'search' | 'operator' | 'admin';

let accounts = 0;

/** Creates a staff account with these roles. */
export async function addStaff(
  stack: StackUnderTest,
  roles: Readonly<Record<string, Role[]>>,
): Promise<Login> {
  accounts += 1;
  const login = { username: `console${accounts}`, password: 'copper-lantern-7' };
  await stack.peer('auth').createStaff({ ...login, roles });
  return login;
}

/** Makes a call of staff without the console; throws unless it succeeds. */
export async function callAsStaff(
  stack: StackUnderTest,
  { username }: Login,
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { access_token } = await stack.peer('auth').issueStaffToken({ username });
  const answer = await fetch(stack.url + path, {
    headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Starts the browser. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });

/** A tab of a browser profile of its own, and what went wrong in it: errors, and violations of its policy. */
export interface Tab {
  readonly page: Page;
  readonly problems: string[];
}

/** Opens a tab, without motion: a dialog that fades in has other colors for a while. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Warning:/.test(message.text())) problems.push(message.text());
  });
  return { page, problems };
}

/** Fills in the hosted form, wherever the page is on the way to it. */
export async function enter(page: Page, { username, password }: Login): Promise<void> {
  await page.locator('input[name=login]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').first().click();
}

/** Opens a page of the console and signs in. */
export async function signIn(page: Page, address: string, login: Login): Promise<void> {
  await page.goto(address);
  await enter(page, login);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** A tab with a page of the console, where somebody has signed in. */
export async function openAs(
  { browser, base }: System,
  path: string,
  login: Login,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const tab = await openTab(browser, options);
  await signIn(tab.page, base + path, login);
  return tab;
}

/** Takes a picture of the screen for the docs, if there is a folder for pictures. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!shots) return;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();
  await writeFile(`${shots}/${name}.webp`, data, 'base64');
}

/** Violations that axe finds of WCAG 2.2 AA and its best practices, one line each. */
export async function faultsOf(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary.replaceAll('\n', ' ')}`),
  );
}

/** Comes back to a tab with a clock of the test after a while: it fetches what may have changed. */
export async function comeBack(page: Page): Promise<void> {
  await page.clock.fastForward(11_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}

/** The title of a page. */
export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** The title of the page of settings, the first of the search team. */
export const settings = (page: Page) => heading(page, 'Settings in force');

/** Pixels by which the page is wider than the screen. */
export const tooWide = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Buttons of tables that are out of sight until one scrolls sideways, by their texts. */
export const unseenButtons = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('main table button')).flatMap((button) => {
      const { left, right } = button.getBoundingClientRect();
      const frame = button.closest('[class*=ScrollArea-viewport]')?.getBoundingClientRect();
      const isSeen = !frame || (left >= frame.left && right <= frame.right);
      return isSeen ? [] : [button.textContent ?? ''];
    }),
  );
