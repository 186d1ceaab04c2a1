import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 } from 'uuid';
import { destination } from '../support/browser.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

describe('client applications', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('clients');
  });
  afterAll(() => auth.close());

  const verify = (client_id: string, client_secret: string) =>
    auth.internal('/internal/clients/verify', { client_id, client_secret });

  it('stores only a hash of the secret, which verifies it', async () => {
    const { client_id, client_secret, redirect_uri } = auth.client;
    expect(client_secret).toMatch(/^[\w-]{43}$/);
    await verify(client_id, client_secret).expect(200, { client_id, redirect_uri });
    const stored = await auth.context.clients.find(client_id);
    expect(JSON.stringify(stored)).not.toContain(client_secret);
    const none = { fail: 'Invalid Argument' };
    await verify(client_id, `${client_secret}x`).expect(403, none);
    await verify(v7(), client_secret).expect(403, none);
    const staff = await auth.createClient({ staff: true });
    await verify(staff.client_id, staff.client_secret).expect(403, none);
  });

  it('lets payment pages return to the origins of its own addresses only', async () => {
    const { client_id } = await auth.createClient({ redirect_uri: 'https://app.example/back' });
    const returns = async (...urls: readonly string[]) =>
      (await auth.internal('/internal/clients/returns', { client_id, urls })).body.allowed;
    expect(await returns('https://app.example/paid?x=1', 'https://app.example/')).toBe(true);
    const others = [
      'https://app.example.evil.test/',
      'https://app.example@evil.test/',
      'https://evil.test/?https://app.example/',
      'https://app.example:8443/',
      'http://app.example/',
    ];
    for (const url of others) expect([url, await returns('https://app.example/', url)]).toEqual([url, false]);
    const unsafe = ['blob:https://app.example/x', 'javascript:alert(1)', 'com.example.app:/paid'];
    for (const url of unsafe) expect([url, await returns(url)]).toEqual([url, undefined]);
    await auth.internal('/internal/clients/disable', { client_id, disabled: true }).expect(200);
    expect(await returns('https://app.example/paid')).toBe(false);
  });

  it('accepts app schemes, except those that browsers execute', async () => {
    const client = await auth.createClient({ redirect_uri: 'com.example.app:/callback' });
    const member = await auth.addMember();
    const end = await auth.browser().signIn(client, member);
    expect(end.href.startsWith('com.example.app:/callback?code=')).toBe(true);
    for (const uri of ['javascript:alert(1)', 'data:text/html,x', 'ftp://x', 'https://app.example/#x']) {
      await auth.internal('/internal/clients/create', { name: 'x', redirect_uris: [uri] }).expect(403);
    }
  });

  it('redirects to each accepted URI', async () => {
    const redirect_uris = ['com.example.app:/back', 'https://localhost/back', 'http://127.0.0.2:8976/back'];
    const created = await auth.internal('/internal/clients/create', { name: 'x', redirect_uris }).expect(200);
    const client = created.body as { client_id: string; client_secret: string };
    const member = await auth.addMember();
    for (const redirect_uri of redirect_uris) {
      const browser = auth.browser();
      const page = await browser.begin({ ...client, redirect_uri });
      // Browsers hold what an address leads on to against the policy of the form, too.
      expect(page.get('Content-Security-Policy')).toContain(
        "form-action 'self' com.example.app: https://localhost http://127.0.0.2:8976;",
      );
      const { username: login, password } = member;
      const { href, searchParams } = destination(await browser.submit(page, { login, password }));
      expect(href.startsWith(`${redirect_uri}?code=`)).toBe(true);
      const form = { grant_type: 'authorization_code', code: searchParams.get('code') ?? '' };
      await auth.token({ ...client, redirect_uri, ...form }).expect(200);
    }
  });

  it('refuses an unencrypted redirect URI, except a loopback one', async () => {
    const { client_id } = await auth.createClient();
    const create = async (uri: string) =>
      [
        uri,
        (await auth.internal('/internal/clients/create', { name: 'x', redirect_uris: [uri] })).status,
      ] as unknown;
    const hosts = ['app.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', '127.evil'];
    for (const uri of [...hosts.map((host) => `http://${host}/back`), 'HTTP://APP.EXAMPLE/back']) {
      expect(await create(uri)).toEqual([uri, 403]);
    }
    const redirect_uris = ['https://app.example/ok', 'http://app.example/back'];
    await auth.internal('/internal/clients/redirects', { client_id, redirect_uris }).expect(403);
    for (const host of ['127.0.0.1:8976', '[::1]:8976', 'localhost']) {
      const uri = `http://${host}/back`;
      expect(await create(uri)).toEqual([uri, 200]);
    }
  });

  it('rejects a disabled client at every endpoint', async () => {
    const client = await auth.createClient();
    const { client_id } = client;
    const member = await auth.addMember();
    const end = await auth.browser().signIn(client, member);
    const code = end.searchParams.get('code') ?? '';
    const tokens = await auth.token({ ...client, grant_type: 'authorization_code', code }).expect(200);
    const { refresh_token } = tokens.body as { refresh_token: string };
    const refresh = () => auth.token({ ...client, grant_type: 'refresh_token', refresh_token });

    await auth.internal('/internal/clients/disable', { client_id, disabled: true }).expect(200, {});
    const page = await auth.browser().begin(client);
    expect([page.status, page.get('Location')]).toEqual([400, undefined]);
    await verify(client_id, client.client_secret).expect(403);
    await auth.token({ ...client, grant_type: 'authorization_code', code: 'x' }).expect(401);
    expect((await refresh().expect(401)).body).toMatchObject({ error: 'invalid_client' });

    await auth.internal('/internal/clients/disable', { client_id, disabled: false }).expect(200, {});
    await refresh().expect(200);
  });

  it('accepts both of two secrets, no third one, and no retired one', async () => {
    const { client_id, client_secret: first } = await auth.createClient();
    const add = () => auth.internal('/internal/clients/secret', { client_id });
    const retire = (secret_id?: string) =>
      auth.internal('/internal/clients/retire-secret', { client_id, secret_id });
    const statuses = (...secrets: string[]) =>
      Promise.all(secrets.map(async (one) => (await verify(client_id, one)).status));

    await retire().expect(403);
    const added = (await Promise.all([add(), add(), add()])).filter(({ status }) => status === 200);
    expect(added).toHaveLength(1);
    const [{ client_secret: second, secret_id } = { client_secret: '', secret_id: '' }] = added.map(
      ({ body }) => body as { client_secret: string; secret_id: string },
    );
    expect(await statuses(first, second, 'x')).toEqual([200, 200, 403]);
    await retire('12345678').expect(403);
    // On a command line a name that begins with a hyphen is an option.
    expect(secret_id).toMatch(/^[0-9a-f]{8}$/);
    await retire(secret_id).expect(200, { secret_id });
    expect(await statuses(first, second)).toEqual([200, 403]);
    await retire().expect(403);
    const third = ((await add().expect(200)).body as { client_secret: string }).client_secret;
    await retire().expect(200);
    expect(await statuses(first, third)).toEqual([403, 200]);
  });

  it('uses the defaults for settings that a client does not have', async () => {
    const { client_id, client_secret } = await auth.createClient();
    const clients = auth.context.connection.collection<{ _id: string }>('clients');
    const settings = { require_pkce: 1, refresh_grace_seconds: 1, refresh_lifetime_seconds: 1 } as const;
    await clients.updateOne({ _id: client_id }, { $unset: settings });
    await verify(client_id, client_secret).expect(200);
    const { body } = await auth.internal('/internal/clients/list', {}).expect(200);
    const { clients: listed } = body as { clients: { client_id: string }[] };
    expect(listed.find((one) => one.client_id === client_id)).toMatchObject({
      require_pkce: false,
      refresh_grace_seconds: 10,
      refresh_lifetime_seconds: null,
    });
  });

  it('accepts both secrets at /token until one is retired, and changed redirect URIs at once', async () => {
    const client = await auth.createClient();
    const { client_id } = client;
    const member = await auth.addMember();
    const renewed = await auth.internal('/internal/clients/secret', { client_id }).expect(200);
    const { client_secret } = renewed.body as { client_secret: string };
    const unknown = { ...client, grant_type: 'refresh_token', refresh_token: 'x' };
    await auth.token(unknown).expect(400);
    await auth.token({ ...unknown, client_secret }).expect(400);
    await auth.internal('/internal/clients/retire-secret', { client_id }).expect(200);
    const redirect_uris = ['https://app.example/moved'];
    await auth.internal('/internal/clients/redirects', { client_id, redirect_uris }).expect(200, {});
    expect((await auth.browser().begin(client)).status).toBe(400);
    const moved = { ...client, redirect_uri: 'https://app.example/moved' };
    const end = await auth.browser().signIn(moved, member);
    const form = { grant_type: 'authorization_code', code: end.searchParams.get('code') ?? '' };
    await auth.token({ ...moved, ...form }).expect(401);
    await auth.token({ ...moved, client_secret, ...form }).expect(200);
  });

  it('answers 404 for an unknown client', async () => {
    const changes: [string, object][] = [
      ['redirects', { redirect_uris: ['https://app.example/'] }],
      ['secret', {}],
      ['retire-secret', {}],
      ['settings', { require_pkce: true }],
      ['disable', { disabled: true }],
    ];
    for (const [path, input] of changes) {
      const answer = await auth.internal(`/internal/clients/${path}`, { client_id: v7(), ...input });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});
