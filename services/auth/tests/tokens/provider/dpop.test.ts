import { createDeviceKey, type DeviceKey } from '@covalence/testing/device-key';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import * as oauth from 'openid-client';
import type { ServiceUnderTest } from '../../harness.ts';
import { startIssuer } from '../../support/issuer-under-test.ts';
import type { TestClient, TestMember } from '../../support/people.ts';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
}

describe('tokens that are bound to a key of the app (DPoP)', () => {
  let auth: ServiceUnderTest;
  let issuer: string;
  let member: TestMember;
  let app: TestClient;
  let key: DeviceKey;
  beforeAll(async () => {
    ({ auth, issuer } = await startIssuer('dpop'));
    member = await auth.addMember();
    app = await auth.createClient({ public: true });
    key = await createDeviceKey();
  });
  afterAll(() => auth.close());

  const verifier = oauth.randomPKCECodeVerifier();
  const codeOf = async (client: TestClient, parameters: Record<string, string> = {}) => {
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const challenge = { code_challenge, code_challenge_method: 'S256' };
    const end = await auth.browser().signIn(client, member, { ...challenge, ...parameters });
    return end.searchParams.get('code') ?? '';
  };
  const prove = (by = key, changes: object = {}) =>
    by.prove({ htm: 'POST', htu: `${issuer}/token`, ...changes });
  const token = async (form: Record<string, string>, proof?: string) => {
    const call = auth.token({ client_id: app.client_id, ...form });
    return proof === undefined ? call : call.set('DPoP', proof);
  };
  const exchange = (code: string, proof?: string, client = app) =>
    token(
      {
        client_id: client.client_id,
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.redirect_uri,
        code_verifier: verifier,
      },
      proof,
    );
  const refresh = (refresh_token: string, proof?: string) =>
    token({ grant_type: 'refresh_token', refresh_token }, proof);
  const signIn = async () => (await exchange(await codeOf(app), await prove())).body as Pair;

  it('are issued to openid-client, unchanged, and refresh with the same key', async () => {
    const config = await oauth.discovery(new URL(issuer), app.client_id, undefined, oauth.None(), {
      execute: [oauth.allowInsecureRequests],
    });
    expect(config.serverMetadata().dpop_signing_alg_values_supported).toContain('ES256');
    const DPoP = oauth.getDPoPHandle(config, await oauth.randomDPoPKeyPair());
    const start = oauth.buildAuthorizationUrl(config, {
      redirect_uri: app.redirect_uri,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      dpop_jkt: await DPoP.calculateThumbprint(),
    });
    const browser = auth.browser();
    const page = await browser.open(start.pathname + start.search);
    const end = await browser.submit(page, { login: member.username, password: member.password });
    const callback = new URL(end.get('Location') ?? '');
    const pair = await oauth.authorizationCodeGrant(
      config,
      callback,
      { pkceCodeVerifier: verifier },
      undefined,
      { DPoP },
    );
    expect(pair.token_type).toBe('dpop');
    const fresh = await oauth.refreshTokenGrant(config, pair.refresh_token ?? '', undefined, { DPoP });
    const jkt = await DPoP.calculateThumbprint();
    expect(decodeJwt(fresh.access_token)).toMatchObject({ cnf: { jkt }, sub: member.member_id });
    await expect(oauth.refreshTokenGrant(config, fresh.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('are worth nothing to a thief without the key, who does not end the sign-in either', async () => {
    const { refresh_token, token_type } = await signIn();
    expect(token_type).toBe('DPoP');
    const thief = await createDeviceKey();
    expect((await refresh(refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(refresh_token, await prove(thief))).body).toMatchObject({ error: 'invalid_grant' });
    const { body: fresh } = await refresh(refresh_token, await prove());
    expect(decodeJwt((fresh as Pair).access_token)).toMatchObject({ cnf: { jkt: key.thumbprint } });
    // A used token gets the stored answer within the grace, with the key only.
    expect((await refresh(refresh_token, await prove(thief))).status).toBe(400);
    expect((await refresh(refresh_token)).status).toBe(400);
    const again = await prove();
    expect((await refresh(refresh_token, again)).body).toEqual(fresh);
    expect((await refresh(refresh_token, again)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh((fresh as Pair).refresh_token, await prove())).status).toBe(200);
  });

  it('need a new proof of this call each time', async () => {
    const proof = await prove();
    expect((await exchange(await codeOf(app), proof)).status).toBe(200);
    expect((await exchange(await codeOf(app), proof)).body).toMatchObject({ error: 'invalid_grant' });
    const twice = await prove();
    const codes = [await codeOf(app), await codeOf(app)];
    const together = await Promise.all(codes.map((code) => exchange(code, twice)));
    expect(together.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const elsewhere = await prove(key, { htu: 'https://evil.example/token' });
    expect((await exchange(await codeOf(app), elsewhere)).body).toMatchObject({
      error: 'invalid_dpop_proof',
      fail: 'Invalid Dpop Proof',
    });
    // A device whose clock is wrong gets a nonce, which stands in for the time.
    const code = await codeOf(app);
    const late = await exchange(code, await prove(key, { iat: 1_700_000_000 }));
    expect([late.status, late.body]).toMatchObject([400, { error: 'use_dpop_nonce' }]);
    const nonce = late.get('DPoP-Nonce') ?? '';
    expect((await exchange(code, await prove(key, { iat: 1_700_000_000, nonce }))).status).toBe(200);
  });

  it('take no code that another key began (dpop_jkt)', async () => {
    const code = await codeOf(app, { dpop_jkt: key.thumbprint });
    const thief = await createDeviceKey();
    expect((await exchange(code, await prove(thief))).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('are the only ones that a client with the setting gets, and optional for others', async () => {
    const bound = await auth.createClient({ public: true, dpop_bound_access_tokens: true });
    expect((await exchange(await codeOf(bound), undefined, bound)).body).toMatchObject({
      error: 'invalid_grant',
    });
    const { body } = await exchange(await codeOf(bound), await prove(), bound);
    expect(body).toMatchObject({ token_type: 'DPoP' });
    const { body: plain } = await exchange(await codeOf(app));
    expect(plain).toMatchObject({ token_type: 'Bearer' });
    expect(decodeJwt((plain as Pair).access_token)['cnf']).toBeUndefined();
  });
});
