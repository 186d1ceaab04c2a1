import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { startChromium } from '../support/chromium.ts';
import { as, male, registerMember } from '../support/members.ts';
import type { System } from '../support/system.ts';
import { person } from './registration.ts';

const example = fileURLToPath(new URL('../../../libs/client/examples/browser-app/serve.ts', import.meta.url));

/** The buttons work once the script of the page has read its settings. */
const ready = { waitUntil: 'networkidle' } as const;

/** The example app of @covalence/client: a page of another origin, without a client secret. */
export function browserAppCases(system: () => System): void {
  describe('an app in a browser without a client secret', () => {
    let stack: System;
    let server: ChildProcess;
    let browser: Browser;
    let url: string;
    beforeAll(async () => {
      stack = system();
      const demoFile = join(stack.mails, '..', 'demo.json');
      await writeFile(demoFile, JSON.stringify(stack.demo));
      server = spawn(process.execPath, [example, demoFile], { stdio: ['ignore', 'pipe', 'inherit'] });
      if (!server.stdout) throw new Error('the example has no output');
      [url] = (await once(createInterface(server.stdout), 'line')) as [string];
      browser = await startChromium();
    });
    afterAll(async () => {
      await browser?.close();
      server?.kill();
    });

    it('signs in, calls the API, hears live updates and signs out, from its own origin', async () => {
      const nora = await registerMember(stack.url, stack.demo);
      const tom = await registerMember(stack.url, stack.demo, male);
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      const connected = new Promise<void>((resolve) => {
        page.on('websocket', (socket) => socket.once('framereceived', () => resolve()));
      });
      await page.goto(url, ready);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('input[name=login]').fill(nora.username);
      await page.locator('input[name=password]').fill(nora.password);
      await page.getByRole('button').first().click();
      await page
        .getByRole('status')
        .filter({ hasText: `${nora.username} finds` })
        .waitFor();
      expect(page.url()).toBe(url);
      await connected;
      await as(stack.url, tom).post('/like', { profileid: nora.id }).expect(200);
      await page
        .getByRole('listitem')
        .filter({ hasText: `"profileid":${tom.id}` })
        .first()
        .waitFor();
      // Somebody who reads the tokens of the page cannot use them: its key cannot be read.
      const kept = await page.evaluate(() => sessionStorage.getItem('covalence-tokens') ?? '{}');
      const { access_token } = JSON.parse(kept) as { access_token: string };
      const claims = Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString();
      expect(JSON.parse(claims)).toMatchObject({ cnf: { jkt: expect.any(String) } });
      await as(stack.url, { tokens: { access_token } }).get('/users/self').expect(401);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('status').filter({ hasText: 'Nobody is signed in.' }).waitFor();
      expect(faults).toEqual([]);
    });

    it('registers a member, who comes back signed in', async () => {
      const page = await browser.newPage();
      await page.goto(url, ready);
      await page.getByRole('button', { name: 'Register' }).click();
      const entries = person(stack);
      for (const [name, value] of Object.entries(entries)) {
        const field = page.locator(`form [name=${name}]`);
        const isChoice = (await field.evaluate(({ tagName }) => tagName)) === 'SELECT';
        await (isChoice ? field.selectOption(String(value)) : field.fill(String(value)));
      }
      await page.locator('button[type=submit]').click();
      await page
        .getByRole('status')
        .filter({ hasText: `${String(entries.username)} finds` })
        .waitFor();
      expect(page.url()).toBe(url);
    });

    it('fits on a screen', async () => {
      const text = await readFile(new URL('index.html', pathToFileURL(example)), 'utf8');
      expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    });

    it('says that a sign-in was cancelled, and starts another', async () => {
      const page = await browser.newPage();
      await page.goto(url, ready);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('status').filter({ hasText: 'access_denied' }).waitFor();
      expect((await fetch(`${url}/`)).status).toBe(404);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.locator('input[name=login]').waitFor();
    });

    it('may not call from the origin of a page that no client registered', async () => {
      const page = await browser.newPage();
      // The same server under a name that is not the registered address.
      await page.goto(url.replace('127.0.0.1', 'localhost'));
      const called = await page.evaluate(
        (api) =>
          fetch(`${api}/jwks`).then(
            () => 'read',
            (error: Error) => error.name,
          ),
        stack.url,
      );
      expect(called).toBe('TypeError');
    });
  });
}
