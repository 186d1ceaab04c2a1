import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chromiumPath } from '@covalence/testing/chromium';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { WebSocketServer } from 'ws';

/** The page of an app without a bundler: the package as it is built. */
const page = `<!doctype html><script type="importmap">{"imports": {
  "@covalence/client/": "/client/", "openapi-fetch": "/openapi-fetch.js"
}}</script>`;

const built = new URL('../dist/', import.meta.url);
const fetchClient = createRequire(import.meta.url)
  .resolve('openapi-fetch')
  .replace(/\.cjs$/, '.mjs');

/** What an app does, in the page: eight calls with a token that is too old, then a live update. */
const appInPage = `(async () => {
  const { createSession } = await import('@covalence/client/session.js');
  const { createClient } = await import('@covalence/client/client.js');
  const { memoryStorage } = await import('@covalence/client/tokens.js');
  const { beginSignIn } = await import('@covalence/client/sign-in.js');
  const { followLiveUpdates } = await import('@covalence/client/live-updates.js');
  const baseUrl = location.origin;
  const storage = memoryStorage({ access_token: 'old', refresh_token: 'r', expires_at: Date.now() + 3_600_000 });
  const session = createSession({ authUrl: baseUrl, clientId: 'app', clientSecret: 's', storage });
  const client = createClient({ baseUrl, session });
  const calls = Array.from({ length: 8 }, () => client.POST('/like', { body: { profileid: 7 } }));
  const statuses = (await Promise.all(calls)).map(({ response }) => response.status);
  const { verifier } = await beginSignIn({ authUrl: baseUrl, clientId: 'app', redirectUri: 'app:/back' });
  const update = await new Promise((resolve) => {
    followLiveUpdates({ baseUrl, session, onUpdate: resolve });
  });
  return { statuses, verifier: verifier.length, update: update.id };
})()`;

describe('the client in a browser', () => {
  let server: Server;
  let url: string;
  let tokenCalls = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? '';
      const json = (status: number, content: object) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
      const script = (file: URL | string) =>
        readFile(file)
          .then((text) => response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(text))
          .catch(() => response.writeHead(404).end());
      if (path.startsWith('/client/')) return void script(new URL(path.slice('/client/'.length), built));
      if (path === '/openapi-fetch.js') return void script(fetchClient);
      if (path === '/') return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
      if (path === '/token') {
        tokenCalls += 1;
        return json(200, { access_token: 'new', refresh_token: 'r2', expires_in: 1800 });
      }
      return json(request.headers.authorization === 'Bearer new' ? 200 : 401, {});
    });
    new WebSocketServer({ server, path: '/ws/updates' }).on('connection', (socket) => {
      const send = (id: string, type: string) =>
        socket.send(JSON.stringify({ id, type, at: new Date().toISOString(), data: {} }));
      socket.once('message', () => {
        send('a-1', 'ready');
        send('a-2', 'like');
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('refreshes once, prepares a sign-in and hears live updates, as it does in Node', async () => {
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
    try {
      const tab = await browser.newPage();
      await tab.goto(url);
      expect(await tab.evaluate(appInPage)).toEqual({
        statuses: Array.from({ length: 8 }, () => 200),
        verifier: 43,
        update: 'a-2',
      });
      expect(tokenCalls).toBe(1);
    } finally {
      await browser.close();
    }
  }, 120_000);
});
