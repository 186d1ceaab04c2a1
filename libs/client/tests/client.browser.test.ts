import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chromiumPath } from '@covalence/testing/chromium';
import { listenLocally } from '@covalence/testing/listen-locally';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { WebSocketServer } from 'ws';

/** A page of an app without a bundler: it loads the built package. */
const page = `<!doctype html><script type="importmap">{"imports": {
  "@covalence/client/": "/client/", "openapi-fetch": "/openapi-fetch.js"
}}</script>`;

const built = new URL('../dist/', import.meta.url);
const fetchClient = createRequire(import.meta.url)
  .resolve('openapi-fetch')
  .replace(/\.cjs$/, '.mjs');

/** An app in the page: eight calls with an expired token, then a live update. */
const appInPage = `(async () => {
  const { createSession } = await import('@covalence/client/session.js');
  const { createClient } = await import('@covalence/client/client.js');
  const { browserStorage } = await import('@covalence/client/tokens.js');
  const { beginSignIn } = await import('@covalence/client/sign-in.js');
  const { followLiveUpdates } = await import('@covalence/client/live-updates.js');
  const baseUrl = location.origin;
  const storage = browserStorage(localStorage);
  await storage.write({ access_token: 'old', refresh_token: 'r', expires_at: Date.now() + 3_600_000 });
  const session = createSession({ authUrl: baseUrl, clientId: 'app', clientSecret: 's', storage });
  const client = createClient({ baseUrl, session });
  const calls = Array.from({ length: 8 }, () => client.POST('/like', { body: { profileid: 7 } }));
  const statuses = (await Promise.all(calls)).map(({ response }) => response.status);
  const { verifier } = await beginSignIn({ authUrl: baseUrl, clientId: 'app', redirectUri: 'app:/back' });
  const update = await new Promise((resolve) => {
    followLiveUpdates({ baseUrl, session, onUpdate: resolve });
  });
  // As after a new load of the page.
  const stored = await browserStorage(localStorage).read();
  await session.signOut();
  const left = [await storage.read(), localStorage.length];
  return { statuses, verifier: verifier.length, update: update.id, stored: stored.access_token, left };
})()`;

/** An app that throws when the socket is lost, and at one update. */
const throwingInPage = `(async () => {
  const { memoryStorage } = await import('@covalence/client/tokens.js');
  const { createSession } = await import('@covalence/client/session.js');
  const { followLiveUpdates } = await import('@covalence/client/live-updates.js');
  const storage = memoryStorage({ access_token: 'new', refresh_token: 'r', expires_at: Date.now() + 3_600_000 });
  const session = createSession({ authUrl: location.origin, clientId: 'app', clientSecret: 's', storage });
  const told = [];
  await new Promise((resolve) => {
    followLiveUpdates({
      baseUrl: location.origin,
      session,
      firstPause: 5,
      onConnected(isConnected) {
        if (!isConnected) throw new Error('lost');
      },
      onUpdate({ id }) {
        told.push(id);
        if (id === 'a-5') resolve();
        if (id === 'a-4') throw new Error('the app at an update');
      },
    });
  });
  return told;
})()`;

/** A page that has found no key, when another one has just stored its own. */
const twoKeysInPage = `(async () => {
  const { browserKeyStorage, createDeviceKey } = await import('@covalence/client/device-key.js');
  const storage = browserKeyStorage();
  let reads = 0;
  const late = createDeviceKey({ ...storage, read: async () => (reads++ ? storage.read() : undefined) });
  const pages = [createDeviceKey(), late, createDeviceKey()];
  const keys = new Set();
  for (const page of pages) {
    const proof = await page.prove({ method: 'GET', url: location.href });
    keys.add(JSON.parse(atob(proof.split('.')[0])).jwk.x);
  }
  const deletion = await new Promise((resolve) => {
    const deleting = indexedDB.deleteDatabase('covalence');
    deleting.onsuccess = () => resolve('not blocked');
    deleting.onblocked = () => resolve('blocked');
  });
  return { keys: keys.size, deletion };
})()`;

describe('the client in a browser', () => {
  let server: Server;
  let url: string;
  let browser: Browser;
  let tab: Page;
  let tokenCalls = 0;
  /** Whether the next socket closes after its first update, and the head of the history then. */
  let isToBeLost = false;
  let head = 'a-1';

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
      socket.on('message', (data: Buffer) => {
        if (data.toString('utf8').startsWith('{'))
          return ['a-5', 'a-3', 'a-4'].forEach((id) => send(id, 'like'));
        send(head, 'ready');
        if (head === 'a-1') send('a-2', 'like');
        if (!isToBeLost) return;
        [isToBeLost, head] = [false, 'a-4'];
        socket.close(1001);
      });
    });
    url = `http://127.0.0.1:${await listenLocally(server)}`;
    browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
  });
  beforeEach(async () => {
    tab = await browser.newPage();
    await tab.goto(url);
  });
  afterEach(() => tab.close());
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  it('refreshes once, starts a sign-in and receives live updates, as in Node', async () => {
    expect(await tab.evaluate(appInPage)).toEqual({
      statuses: Array.from({ length: 8 }, () => 200),
      verifier: 43,
      update: 'a-2',
      stored: 'new',
      left: [undefined, 0],
    });
    expect(tokenCalls).toBe(1);
  });

  it('has one key of the device in all pages that start together, and leaves its database closed', async () => {
    expect(await tab.evaluate(twoKeysInPage)).toEqual({ keys: 1, deletion: 'not blocked' });
  });

  it('continues when the app throws: delivers every update and reconnects', async () => {
    isToBeLost = true;
    expect(await tab.evaluate(throwingInPage)).toEqual(['a-2', 'a-3', 'a-4', 'a-5']);
  });
});
