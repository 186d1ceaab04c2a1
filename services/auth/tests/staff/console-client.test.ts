import { createDeviceKey } from '@covalence/testing/device-key';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { destination, type Browser } from '../support/browser.ts';
import type { ShownClient } from '../support/people.ts';

const code_verifier = randomBytes(32).toString('base64url');
const challenge = {
  code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
  code_challenge_method: 'S256',
};
const login = { username: 'console-user', password: 'copper-lantern-7' };

describe('the public client of staff', () => {
  let auth: ServiceUnderTest;
  const client_id = randomUUID();
  const ofConsole: ShownClient = { client_id, redirect_uri: 'http://localhost:8080/console/signed-in' };
  const create = (settings: object) =>
    auth.internal('/internal/clients/create', {
      name: 'Console',
      redirect_uris: [ofConsole.redirect_uri],
      staff: true,
      public: true,
      ...settings,
    });
  beforeAll(async () => {
    auth = await startService('console-client', { environment: { PUBLIC_URL: 'http://localhost:8080' } });
    await create({ client_id, dpop_bound_access_tokens: false }).expect(200, { client_id });
    await auth.internal('/internal/staff/create', { ...login, roles: { '2': ['search'] } }).expect(200);
  });
  afterAll(() => auth.close());

  const signIn = async (browser: Browser) => {
    const page = await browser.begin(ofConsole, challenge);
    return destination(await browser.submit(page, { login: login.username, password: login.password }));
  };
  const exchange = async (code: string, proof?: string) => {
    const call = auth.token({ ...ofConsole, grant_type: 'authorization_code', code, code_verifier });
    return proof === undefined ? call : call.set('DPoP', proof);
  };

  it('gets tokens of staff with the roles by site, bound to the key of the browser, and none without a key', async () => {
    const code = (await signIn(auth.browser())).searchParams.get('code') ?? '';
    expect((await exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    const key = await createDeviceKey();
    const proof = await key.prove({ htm: 'POST', htu: 'http://auth.test/token' });
    const again = (await signIn(auth.browser())).searchParams.get('code') ?? '';
    const { body } = await exchange(again, proof);
    expect(decodeJwt((body as { access_token: string }).access_token)).toMatchObject({
      scope: 'staff',
      roles: { '2': ['search'] },
      cnf: { jkt: key.thumbprint },
    });
  });

  it('gets a code at once on the own address of the system, which is a loopback address here', async () => {
    const browser = auth.browser();
    await signIn(browser);
    expect(destination(await browser.begin(ofConsole, challenge)).searchParams.get('code')).toBeTruthy();
    const redirect_uri = 'http://localhost:8081/console/signed-in';
    const { body } = await create({ redirect_uris: [redirect_uri] });
    const elsewhere = { client_id: (body as ShownClient).client_id, redirect_uri };
    expect((await browser.begin(elsewhere, challenge)).text).toContain('Continue as');
  });

  it('signs no member in', async () => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const page = await browser.begin(ofConsole, challenge);
    const answer = await browser.submit(page, { login: member.username, password: member.password });
    expect([answer.status, answer.text.includes('do not match')]).toEqual([200, true]);
  });

  it('keeps the id that was chosen for it', async () => {
    expect((await create({ client_id })).status).toBe(403);
  });
});
