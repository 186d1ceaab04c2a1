import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { sendRaw } from '../support/raw.ts';

const client = '0b9f1f6e-5a52-4a08-9d5c-0c5b8a7d3f10';

describe('the console', () => {
  let folder: string;
  let gateway: ServiceUnderTest;
  let without: ServiceUnderTest;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-'));
    await mkdir(join(folder, 'built/assets'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), 'beside the folder');
    await writeFile(join(folder, 'built/index.html'), '<meta property="csp-nonce" nonce="NONCE_OF_STYLES">');
    await writeFile(join(folder, 'built/assets/main-4f2a.js'), 'start();');
    const environment = {
      CONSOLE_DIR: join(folder, 'built'),
      CONSOLE_CLIENT_ID: client,
      AUTH_PUBLIC_URL: 'https://auth.test',
    };
    gateway = await startService('console', { environment });
    without = await startService('console', { environment: { CONSOLE_DIR: environment.CONSOLE_DIR } });
  });
  afterAll(async () => {
    await gateway.close();
    await without.close();
    await rm(folder, { recursive: true });
  });

  it.each(['/console', '/console/', '/console/search/settings', '/console/signed-in?code=1&state=2'])(
    'shows its page at %s with a policy without inline scripts, and never caches it',
    async (path) => {
      const { headers, text } = await request(gateway.url).get(path).expect(200);
      const policy = headers['content-security-policy'] ?? '';
      const nonce = /style-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy)?.[1];
      expect(text).toBe(`<meta property="csp-nonce" nonce="${nonce}">`);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src");
      expect(policy).toContain("connect-src 'self' https://auth.test;");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it('uses each nonce once', async () => {
    const pages = await Promise.all([1, 2, 3].map(() => request(gateway.url).get('/console')));
    expect(new Set(pages.map(({ text }) => text)).size).toBe(3);
  });

  it('lets browsers keep files with a hash in their name, and no page of another origin read them', async () => {
    const path = '/console/assets/main-4f2a.js';
    const { headers } = await request(gateway.url).get(path).set('Origin', 'https://app.example').expect(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    await request(gateway.url)
      .get(path)
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
  });

  it('gives the page its addresses and its client', async () => {
    const { headers, body } = await request(gateway.url).get('/console/settings.json').expect(200);
    expect(headers['cache-control']).toBe('no-cache');
    expect(body).toEqual({ base_url: 'http://api.test', auth_url: 'https://auth.test', client_id: client });
  });

  it.each([
    '/console/../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/..%2fsecret.txt',
    '/console/assets/../../secret.txt',
    '/console//etc/passwd',
    '/console/assets/gone-1a2b.js',
    '/console/index.html',
    '/consoles',
    '/console/a.b',
  ])('is 404 at %s', async (path) => {
    const head = `GET ${path} HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`;
    const answer = await sendRaw(gateway.port, head);
    expect([answer.status, answer.body.includes('beside the folder')]).toEqual([404, false]);
  });

  it.each(['/console', '/console/assets/main-4f2a.js'])('accepts only GET and HEAD at %s', async (path) => {
    const head = await request(gateway.url).head(path).expect(200);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
    const refused = await request(gateway.url).post(path).expect(405);
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  it('is 404 without a client application', async () => {
    const paths = ['/console', '/console/settings.json', '/console/assets/main-4f2a.js'];
    const answers = await Promise.all(paths.map((path) => request(without.url).get(path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
