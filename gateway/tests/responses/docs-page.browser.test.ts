import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumPath } from '@covalence/testing/chromium';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startService, type ServiceUnderTest } from '../harness.ts';

/** The page draws the whole interface document, which takes a busy machine long. */
const drawn = { timeout: 60_000 };

describe('the page of the documents', () => {
  let gateway: ServiceUnderTest;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    gateway = await startService('docs-page');
    browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  });
  afterEach(() => page?.close());
  afterAll(async () => {
    await browser?.close();
    await gateway.close();
  });

  const openOn = async (width: number) => {
    page = await browser.newPage({ viewport: { width, height: 700 } });
    await page.goto(`${gateway.url}/docs`);
  };

  it('opens in a browser with its policy, from one origin', async () => {
    page = await browser.newPage();
    const problems: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (one) => asked.push(one.url()));
    await page.goto(`${gateway.url}/docs`);
    await page.getByText('Register a member').first().waitFor(drawn);
    await page.getByText('Requests.').first().waitFor(drawn);
    expect(problems).toEqual([]);
    const elsewhere = asked.filter((url) => !url.startsWith(gateway.url) && !url.startsWith('data:'));
    expect(elsewhere).toEqual([]);
  });

  it('shows every operation on a phone', async () => {
    await openOn(375);
    await page.locator('[data-content-id="post-/searches"]').click(drawn);
    const title = page.getByRole('heading', { name: 'Search members by criteria' });
    await title.click(drawn);
    expect((await title.boundingBox())?.y).toBeGreaterThan(280);
    const [list, text] = await Promise.all(
      ['.nav-scroll', '[part~=section-main-content]'].map((part) => page.locator(part).boundingBox()),
    );
    const endOf = (box: typeof list) => box && Math.round(box.y + box.height);
    expect([endOf(list), text?.y, endOf(text)]).toEqual([280, 280, 700]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
  });

  it.each([320, 375])('has all of its first page on a screen of %d pixels', async (width) => {
    await openOn(width);
    const buttons = page.getByRole('button', { name: 'OpenAPI spec' });
    await buttons.last().waitFor(drawn);
    const shown = await buttons.evaluateAll((all) =>
      all.map((one) => ({
        end: one.getBoundingClientRect().right,
        hidden: one.scrollWidth - one.clientWidth,
      })),
    );
    expect(shown).toHaveLength(2);
    for (const { end, hidden } of shown) {
      expect(end).toBeLessThanOrEqual(width);
      expect(hidden).toBe(0);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  });
});
