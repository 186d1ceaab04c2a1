import { AxeBuilder } from '@axe-core/playwright';
import { chromiumPath } from '@covalence/testing/chromium';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import type { ServiceUnderTest } from '../harness.ts';
import type { TestClient, TestMember } from './people.ts';

/** Screens that the pages have to do on. */
export const screens = {
  small: { width: 320, height: 568 },
  phone: { width: 375, height: 667 },
  desktop: { width: 1280, height: 800 },
} as const;

/** The redirect URI of members; the browser resolves every host name to the service under test. */
export const redirectUri = 'http://localhost/callback';

/** Starts a real browser for which every host name is the service under test; providers are at 127.0.0.1. */
export function startChromium({ server }: ServiceUnderTest): Promise<Browser> {
  const { port } = server.address() as AddressInfo;
  return chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', `--host-resolver-rules=MAP * 127.0.0.1:${port}, EXCLUDE 127.0.0.1`],
  });
}

/** A page in a browser profile of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: 'http://auth.test', locale: 'en-US', ...options });
  context.setDefaultTimeout(10_000);
  return context.newPage();
}

/** Leads a page to the login form. */
export async function begin(
  page: Page,
  { client_id }: TestClient,
  parameters: Record<string, string> = {},
): Promise<void> {
  const query = {
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'a b&c',
    ...parameters,
  };
  await page.goto(`/authorize?${new URLSearchParams(query).toString()}`);
}

/** Fills in the login form by its labels and sends it. */
export async function enter(
  page: Page,
  { username, password }: Pick<TestMember, 'username' | 'password'>,
): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button').click();
}

/** Waits until the browser has come back to the app; what it brings. */
export async function comeBack(page: Page): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(redirectUri));
  return new URL(page.url()).searchParams;
}

/** The rules of axe that colors can break. */
export const rulesOfColor = ['color-contrast', 'link-in-text-block'];

/** Violations that axe finds of WCAG 2.2 AA and its best practices, or of the given rules alone, one line each. */
export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  // The other mode is for frames, which these pages have none of: it loads axe a second time, in a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary.replaceAll('\n', ' ')}`),
  );
}
