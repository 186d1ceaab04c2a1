import { root } from '@covalence/stack/checkout';
import { until } from '@covalence/testing/until';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readMails } from '../support/hosted-pages.ts';
import { as } from '../support/members.ts';
import { installApp, type NativeApp, type NativeClient } from '../support/native-app.ts';
import type { TokenPair } from '../support/sign-in.ts';
import { openSocket } from '../support/socket.ts';
import type { System } from '../support/system.ts';
import { person } from './registration.ts';

const scheme = 'com.example.app:/back';
const loopback = 'http://127.0.0.1/back';
const signedOut = 'com.example.app:/signed-out';

/** Registers the app as its operator does; resolves to its client id. */
async function registerApp(stack: System): Promise<string> {
  const command = ['clients', 'create', '--public', 'Phone app', scheme, loopback];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'cli/dist/covalence.js'), ...command, '--post-logout-redirect-uri', signedOut, '--json'],
    {
      env: {
        ...process.env,
        AUTH_URL: stack.service('auth').url,
        OPERATOR_SECRET: stack.instance.serviceSecrets.operator,
      },
    },
  );
  return (JSON.parse(stdout) as { client_id: string }).client_id;
}

interface Listed {
  readonly id: string;
  readonly client: string;
  readonly device_name: string;
  readonly platform: string;
  readonly current: boolean;
}

async function sessions(app: NativeApp, tokens: TokenPair): Promise<readonly Listed[]> {
  const { status, body } = await app.call('get', '/sessions', tokens);
  expect(status).toBe(200);
  return (body as { sessions: Listed[] }).sessions;
}

/** A member's way through a native app, with nothing but docs/clients.md: AppAuth's redirects, no secret, no test client. */
export function nativeAppCases(system: () => System): void {
  describe('an app on phones without a client secret, through the gateway', () => {
    let stack: System;
    let client: NativeClient;
    let phone: NativeApp;
    let tablet: NativeApp;
    let member: { readonly username: string; readonly password: string };
    let onPhone: TokenPair;
    let onTablet: TokenPair;
    beforeAll(async () => {
      stack = system();
      client = { client_id: await registerApp(stack), redirect_uri: scheme };
      phone = await installApp(stack.url, client, { bindsTokens: true });
      // RFC 8252: a loopback address with the port that the app has now.
      const port = { ...client, redirect_uri: 'http://127.0.0.1:51823/back' };
      tablet = await installApp(stack.url, port, { bindsTokens: false });
    });

    it('registers a member at a private-use scheme, with tokens that are bound to its key', async () => {
      const device = { platform: 'app_ios', device_name: 'Ada’s iPhone' };
      const sign = await phone.authorize({ prompt: 'create', siteid: '1', ...device });
      const { username, password, ...rest } = person(stack);
      member = { username: String(username), password: String(password) };
      onPhone = await sign.finish({ ...member, ...rest });
      expect(onPhone).toMatchObject({ token_type: 'DPoP', expires_in: 1800 });
      const { status, body } = await phone.call('get', '/users/self', onPhone);
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ username, missing_required_fields: [] }),
      ]);
      // Without the key they are worth nothing.
      await as(stack.url, { tokens: onPhone }).get('/users/self').expect(401);
      expect(await sessions(phone, onPhone)).toMatchObject([
        { client: 'Phone app', ...device, current: true },
      ]);
    });

    it('refreshes: the tokens rotate, and a lost answer comes again', async () => {
      const former = onPhone;
      const { status, body } = await phone.refresh(former);
      expect(status).toBe(200);
      onPhone = body as TokenPair;
      expect(onPhone.refresh_token).not.toBe(former.refresh_token);
      expect((await phone.refresh(former)).body).toEqual(onPhone);
      expect((await phone.call('get', '/users/self', onPhone)).status).toBe(200);
    });

    it('gets no silent code at an address that another app may take', async () => {
      const { page, answerOf } = await phone.authorize({ prompt: 'none' });
      expect(answerOf(page).get('error')).toBe('interaction_required');
      const { page: asked, finish } = await phone.authorize({});
      expect(asked.text).toContain(`Continue as ${member.username}`);
      const again = await finish({ continue: 'yes' });
      // The sign-in that it replaces ends.
      await phone.revoke(onPhone).expect(200);
      expect((await phone.call('get', '/users/self', onPhone)).status).toBe(401);
      onPhone = again;
    });

    it('is notified of a sign-in on another device, by its socket and by mail', async () => {
      const socket = await openSocket(stack.url, await phone.socketMessage(onPhone));
      const device = { platform: 'app_android', device_name: 'Pixel Tablet' };
      const { page, finish } = await tablet.authorize({
        siteid: '1',
        login_hint: member.username,
        ...device,
      });
      expect(page.text).toContain(`value="${member.username}"`);
      onTablet = await finish({ login: member.username, password: member.password });
      expect(onTablet).toMatchObject({ token_type: 'Bearer' });
      expect((await socket.next('session')).data).toEqual({ client: 'Phone app' });
      socket.close();
      await until('a mail', () =>
        readMails(stack.mails, member.username).includes('Phone app (Pixel Tablet)'),
      );
      expect(await sessions(tablet, onTablet)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ device_name: 'Pixel Tablet', platform: 'app_android', current: true }),
        ]),
      );
    });

    it('ends the sign-in of a lost phone within a second: calls, socket and refresh', async () => {
      const socket = await openSocket(stack.url, await phone.socketMessage(onPhone));
      const lost = (await sessions(phone, onPhone)).find(({ current }) => current)?.id ?? '';
      expect((await tablet.call('delete', `/sessions/${lost}`, onTablet)).status).toBe(200);
      const ended = Date.now();
      const { status, headers } = await phone.call('get', '/users/self', onPhone);
      expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('invalid_token')]);
      expect(await socket.closed).toBe(4401);
      expect(Date.now() - ended).toBeLessThan(1_000);
      expect((await phone.refresh(onPhone)).body).toMatchObject({ error: 'invalid_grant' });
      expect((await sessions(tablet, onTablet)).map(({ id }) => id)).not.toContain(lost);
    });

    it('signs out of the browser with the way back to the app, and of the app', async () => {
      const { client_id } = client;
      const query = new URLSearchParams({ client_id, post_logout_redirect_uri: signedOut, state: 'bye' });
      const address = `${tablet.configuration.end_session_endpoint}?${query.toString()}`;
      const asked = await tablet.browser.open(address);
      const back = await tablet.browser.submit(asked, { logout: 'yes' });
      expect(back.get('Location')).toBe(`${signedOut}?state=bye`);
      // The app stays signed in until it signs out itself.
      expect((await tablet.call('get', '/users/self', onTablet)).status).toBe(200);
      await tablet.revoke(onTablet).expect(200);
      expect((await tablet.call('get', '/users/self', onTablet)).status).toBe(401);
      const { page } = await tablet.authorize({ siteid: '1' });
      expect(page.text).toContain('type="password"');
    });
  });
}
