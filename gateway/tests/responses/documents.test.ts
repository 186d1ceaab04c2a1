import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumPath } from '@covalence/testing/chromium';
import { chromium } from 'playwright-core';
import request from 'supertest';
import { documentPaths } from '../../src/responses/documents.ts';
import { startGateway, type TestGateway } from '../harness.ts';

/** Bytes on the wire that the whole page may take. */
const pageBudget = 400 * 1024;

describe('the documents', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it.each([
    ['/openapi.json', 'openapi', /^3\.1\./],
    ['/asyncapi.json', 'asyncapi', /^3\./],
  ])('answer %s to anyone, and 304 to a client that has it', async (path, field, version) => {
    const first = await request(gateway.url).get(path).set('Origin', 'https://app.example').expect(200);
    expect(first.headers).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'content-encoding': 'gzip',
      'access-control-allow-origin': expect.any(String),
    });
    expect(first.body[field]).toMatch(version);
    const tag = first.headers['etag'];
    for (const held of [`"other", W/${tag}`, '*'])
      await request(gateway.url).get(path).set('If-None-Match', held).expect(304, '');
    const plain = await request(gateway.url).get(path).set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.body).toEqual(first.body);
  });

  it('describe the failure of a call whose address or headers are too long', async () => {
    const { status } = await request(gateway.url).get(`/jwks?x=${'x'.repeat(20_000)}`);
    const { body } = await request(gateway.url).get('/openapi.json').expect(200);
    const responses = Object.values(body.paths as Record<string, Record<string, { responses?: object }>>)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses: own }) => own ?? []);
    expect(responses.length).toBeGreaterThan(50);
    const silent = responses.filter(
      (own) => Object.hasOwn(own, '429') && !Object.hasOwn(own, String(status)),
    );
    expect(silent).toHaveLength(0);
  });

  it.each(documentPaths)('accept only GET and HEAD at %s', async (path) => {
    const head = await request(gateway.url).head(path).expect(200);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    const refused = await request(gateway.url).post(path).expect(405, { fail: 'Method Not Allowed' });
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  it.each(documentPaths)(
    'lets a page of another origin ask for %s again with the tag that it has',
    async (path) => {
      const preflight = await request(gateway.url)
        .options(path)
        .set('Origin', 'https://app.example')
        .set('Access-Control-Request-Method', 'GET')
        .set('Access-Control-Request-Headers', 'if-none-match')
        .expect(204);
      expect(preflight.headers['access-control-allow-headers']).toContain('If-None-Match');
    },
  );

  it('show the page in a browser with its policy, from one origin', async () => {
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      const asked: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (one) => asked.push(one.url()));
      await page.goto(`${gateway.url}/docs`);
      await page.getByText('Register a member').first().waitFor({ timeout: 60_000 });
      await page.getByText('Requests.').first().waitFor({ timeout: 60_000 });
      expect(problems).toEqual([]);
      const elsewhere = asked.filter((url) => !url.startsWith(gateway.url) && !url.startsWith('data:'));
      expect(elsewhere).toEqual([]);
    } finally {
      await browser.close();
    }
  }, 120_000);

  it('show every operation on a phone', async () => {
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage({ viewport: { width: 375, height: 700 } });
      await page.goto(`${gateway.url}/docs`);
      await page.locator('[data-content-id="post-/searches"]').click({ timeout: 60_000 });
      const title = page.getByRole('heading', { name: 'Search members by criteria' });
      await title.click({ timeout: 60_000 });
      expect((await title.boundingBox())?.y).toBeGreaterThan(280);
      const [list, text] = await Promise.all(
        ['.nav-scroll', '[part~=section-main-content]'].map((part) => page.locator(part).boundingBox()),
      );
      const endOf = (box: typeof list) => box && Math.round(box.y + box.height);
      expect([endOf(list), text?.y, endOf(text)]).toEqual([280, 280, 700]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    } finally {
      await browser.close();
    }
  }, 120_000);

  it.each([320, 375])(
    'has all of its first page on a screen of %d pixels',
    async (width) => {
      const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
      try {
        const page = await browser.newPage({ viewport: { width, height: 700 } });
        await page.goto(`${gateway.url}/docs`);
        const buttons = page.getByRole('button', { name: 'OpenAPI spec' });
        await buttons.last().waitFor({ timeout: 60_000 });
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
      } finally {
        await browser.close();
      }
    },
    120_000,
  );

  it('stay small', async () => {
    const sizes = await Promise.all(
      ['/docs', '/docs/rapidoc.js', '/openapi.json'].map(async (path) => {
        const { headers } = await request(gateway.url).head(path).set('Accept-Encoding', 'gzip');
        return Number(headers['content-length']);
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(pageBudget);
  });
});
