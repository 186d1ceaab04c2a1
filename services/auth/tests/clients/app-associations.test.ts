import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { addPasskey, enterPasskey } from '../support/passkeys.ts';

const fingerprint = Array(32).fill('AB').join(':');
const origin = `android:apk-key-hash:${Buffer.alloc(32, 0xab).toString('base64url')}`;
const android_app = { package: 'com.example.app', fingerprints: [fingerprint] };
const ios_app = 'A1B2C3D4E5.com.example.app';

describe('apps that share passkeys with the hosted pages', () => {
  let auth: ServiceUnderTest;
  let client_id: string;
  beforeAll(async () => {
    auth = await startService('associations');
    ({ client_id } = await auth.createClient());
    await auth.internal('/internal/clients/settings', { client_id, android_app, ios_app }).expect(200);
  });
  afterAll(() => auth.close());

  const file = (name: string) => request(auth.server).get(`/.well-known/${name}`).expect(200);

  it('are listed for Android and iOS as JSON that may be cached, until their client is disabled', async () => {
    const links = await file('assetlinks.json').expect('Content-Type', /^application\/json/);
    expect(links.body).toEqual([
      {
        relation: [
          'delegate_permission/common.handle_all_urls',
          'delegate_permission/common.get_login_creds',
        ],
        target: {
          namespace: 'android_app',
          package_name: 'com.example.app',
          sha256_cert_fingerprints: [fingerprint],
        },
      },
    ]);
    const apple = await file('apple-app-site-association').expect('Content-Type', /^application\/json/);
    expect(apple.body).toEqual({ webcredentials: { apps: [ios_app] } });
    expect(apple.get('Cache-Control')).toBe('public, max-age=300');
    const other = await auth.createClient();
    const change = { client_id: other.client_id, ios_app: 'A1B2C3D4E5.com.example.other' };
    await auth.internal('/internal/clients/settings', change).expect(200);
    await auth.internal('/internal/clients/disable', { ...change, ios_app: undefined, disabled: true });
    const after = await auth.later(6_000, () => file('apple-app-site-association'));
    expect(after.body).toEqual({ webcredentials: { apps: [ios_app] } });
  });

  it.each([
    { ios_app: 'com.example.app' },
    { android_app: { ...android_app, fingerprints: ['ab:cd'] } },
    { android_app: { ...android_app, package: '*' } },
  ])('are refused with %j', async (setting) => {
    const { status } = await auth.internal('/internal/clients/settings', { client_id, ...setting });
    expect(status).toBe(403);
  });

  it('sign in with a passkey from the origin of the app, at its own client only', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    const { passkey } = await addPasskey(browser, await browser.open('/account/passkeys'));
    const enter = async (client: { client_id: string; redirect_uri: string }) => {
      const app = auth.browser();
      return (await enterPasskey(app, await app.begin(client), passkey, { origin })).get('Location');
    };
    const { redirect_uri } = auth.client;
    expect(await enter({ client_id, redirect_uri })).toContain('code=');
    expect(await enter(auth.client)).toBeUndefined();
  });
});
