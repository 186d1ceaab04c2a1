import { flagsAreComplete } from '@covalence/contract/admission-flag';
import { redisKeys } from '@covalence/contract/redis-keys';
import { createDeviceKey } from '@covalence/testing/device-key';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import * as oauth from 'openid-client';
import request from 'supertest';
import type { ServiceUnderTest } from '../../harness.ts';
import { startIssuer } from '../../support/issuer-under-test.ts';
import { formOf } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

const redirect_uri = 'https://app.example/callback';
const hour = 3_600_000;

describe('a client of FAPI 2.0', () => {
  let auth: ServiceUnderTest;
  let issuer: string;
  let member: TestMember;
  let privateKey: CryptoKey;
  let jwk: JWK;
  let client_id: string;
  beforeAll(async () => {
    ({ auth, issuer } = await startIssuer('fapi'));
    member = await auth.addMember();
    const pair = await generateKeyPair('ES256');
    privateKey = pair.privateKey;
    jwk = { ...(await exportJWK(pair.publicKey)), kid: 'first', alg: 'ES256', use: 'sig' };
    const created = await create({ fapi_keys: { keys: [jwk] } }).expect(200);
    ({ client_id } = created.body as { client_id: string });
  });
  afterAll(() => auth.close());

  const create = (changes: object) =>
    auth.internal('/internal/clients/create', { name: 'Bank', redirect_uris: [redirect_uri], ...changes });
  const verifier = oauth.randomPKCECodeVerifier();
  const assertion = (changes: object = {}, by = privateKey) =>
    new SignJWT({ iss: client_id, sub: client_id, aud: issuer, jti: crypto.randomUUID(), ...changes })
      .setProtectedHeader({ alg: 'ES256', kid: 'first' })
      .setIssuedAt()
      .setExpirationTime('1 minute')
      .sign(by);
  const authentication = async (changes: object = {}, by = privateKey) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion(changes, by),
  });
  const push = async (changes: object = {}, credentials?: object) =>
    request(auth.server)
      .post('/par')
      .type('form')
      .send({
        client_id,
        redirect_uri,
        response_type: 'code',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 'kept',
        siteid: '1',
        ...(credentials ?? (await authentication())),
        ...changes,
      });
  const authorize = (parameters: Record<string, string>) =>
    auth.browser().open(`/authorize?${new URLSearchParams({ client_id, ...parameters }).toString()}`);

  /** Signs the member in with openid-client: pushes the request, proves the keys. */
  const connect = async () => {
    const config = await oauth.discovery(
      new URL(issuer),
      client_id,
      undefined,
      oauth.PrivateKeyJwt(privateKey),
      {
        execute: [oauth.allowInsecureRequests],
      },
    );
    const DPoP = oauth.getDPoPHandle(config, await oauth.randomDPoPKeyPair());
    const pushed = await oauth.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 'kept',
      },
      { DPoP },
    );
    const browser = auth.browser();
    const page = await browser.open(pushed.pathname + pushed.search);
    const end = await browser.submit(page, { login: member.username, password: member.password });
    const pair = await oauth.authorizationCodeGrant(
      config,
      new URL(end.get('Location') ?? ''),
      { pkceCodeVerifier: verifier, expectedState: 'kept' },
      undefined,
      { DPoP },
    );
    const refresh = (by = DPoP) =>
      oauth.refreshTokenGrant(config, pair.refresh_token ?? '', undefined, { DPoP: by });
    return { config, pushed, pair, refresh };
  };

  it('signs in with openid-client: pushes the request, proves its keys, gets bound tokens', async () => {
    const { config, pushed, pair, refresh } = await connect();
    expect(config.serverMetadata()).toMatchObject({
      pushed_authorization_request_endpoint: `${issuer}/par`,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      authorization_response_iss_parameter_supported: true,
    });
    expect([...pushed.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri']);
    expect(decodeJwt(pair.access_token)).toMatchObject({ sub: member.member_id, cnf: expect.anything() });
    // Not rotated, as the profile wants; the client may change its key.
    await refresh();
    const another = oauth.getDPoPHandle(config, await oauth.randomDPoPKeyPair());
    const fresh = await refresh(another);
    expect(fresh.refresh_token).toBe(pair.refresh_token);
    const { cnf } = decodeJwt(fresh.access_token);
    expect(cnf).toEqual({ jkt: await another.calculateThumbprint() });
    await oauth.tokenRevocation(config, fresh.refresh_token ?? '');
    // The pushed request was used up by the code.
    expect((await authorize({ request_uri: pushed.searchParams.get('request_uri') ?? '' })).status).toBe(400);
  });

  it('has refreshes count as use of the sign-in, and profile asked about the member once a day', async () => {
    const { redis, config } = auth.context;
    // As profile does while Redis has every flag.
    await redis.set(redisKeys.flagsComplete(config.NAMESPACE), flagsAreComplete, 'EX', 60);
    const { refresh, pair } = await connect();
    const lastUse = async () => {
      const { body } = await request(auth.server)
        .get('/sessions')
        .set('Authorization', `DPoP ${pair.access_token}`)
        .expect(200);
      const { sessions } = body as { sessions: { current: boolean; last_used: string }[] };
      return Date.parse(sessions.find(({ current }) => current)?.last_used ?? '');
    };
    const begun = await lastUse();
    const asked = auth.profile.asked;
    await auth.later(25 * hour, () => refresh());
    expect(await lastUse()).toBeGreaterThanOrEqual(begun + 25 * hour);
    await auth.later(26 * hour, () => refresh());
    expect(auth.profile.asked - asked).toBe(1);
  });

  it.each<[string, () => Promise<object>, string?]>([
    ['another key', async () => authentication({}, (await generateKeyPair('ES256')).privateKey)],
    ['another audience', () => authentication({ aud: `${issuer}/token` })],
    ['another client', () => authentication({ sub: 'another' }), 'invalid_request'],
    ['a secret', () => Promise.resolve({ client_secret: 'secret' })],
    ['nothing', () => Promise.resolve({})],
  ])('is refused with an assertion of %s', async (_what, credentials, error = 'invalid_client') => {
    expect((await push({}, await credentials())).body).toMatchObject({ error });
  });

  it('is refused with a repeated assertion', async () => {
    const once = await authentication();
    expect((await push({}, once)).status).toBe(201);
    expect((await push({}, once)).status).toBe(401);
    const twice = await authentication();
    const together = await Promise.all([push({}, twice), push({}, twice)]);
    expect(together.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401]);
  });

  it('cannot leave out what the profile requires', async () => {
    const direct = await authorize({ redirect_uri, response_type: 'code', state: 's' });
    expect(new URL(direct.get('Location') ?? '').searchParams.get('error')).toBe('invalid_request');
    expect((await push({ code_challenge: '', code_challenge_method: '' })).body).toMatchObject({
      error: 'invalid_request',
    });
    expect((await push({ redirect_uri: 'https://evil.example/callback' })).status).toBe(400);
    const { body } = await push();
    const { request_uri } = body as { request_uri: string };
    const browser = auth.browser();
    const page = await browser.open(
      `/authorize?${new URLSearchParams({ client_id, request_uri }).toString()}`,
    );
    const end = await browser.submit(page, { login: member.username, password: member.password });
    const code = new URL(end.get('Location') ?? '').searchParams.get('code') ?? '';
    const exchange = async (proof?: string) => {
      const form = {
        client_id,
        grant_type: 'authorization_code',
        code,
        redirect_uri,
        code_verifier: verifier,
        ...(await authentication()),
      };
      return proof === undefined ? auth.token(form) : auth.token(form).set('DPoP', proof);
    };
    expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' });
    const key = await createDeviceKey();
    const proofOf = (changes: object = {}) => key.prove({ htm: 'POST', htu: `${issuer}/token`, ...changes });
    const late = await exchange(await proofOf());
    expect(late.body).toMatchObject({ error: 'use_dpop_nonce' });
    const nonce = late.get('DPoP-Nonce') ?? '';
    const proof = await proofOf({ nonce });
    // The nonce is asked for before the code is used up.
    expect((await exchange(proof)).body).toMatchObject({ token_type: 'DPoP' });
  });

  it('uses up nothing of a sign-in by a refresh whose proof has no nonce or a wrong one', async () => {
    const { pair } = await connect();
    const refresh_token = pair.refresh_token ?? '';
    const { family } = decodeJwt<{ family: string }>(refresh_token);
    const stored = () => auth.context.tokens.families.find(family);
    const key = await createDeviceKey();
    const refresh = async (changes: object) => {
      const proof = await key.prove({ htm: 'POST', htu: `${issuer}/token`, ...changes });
      const form = { client_id, grant_type: 'refresh_token', refresh_token, ...(await authentication()) };
      return auth.token(form).set('DPoP', proof);
    };
    const before = await stored();
    expect(before).toBeDefined();
    const refused = await Promise.all([{}, { nonce: 'another' }].map(refresh));
    for (const { status, body } of refused)
      expect([status, body]).toEqual([400, expect.objectContaining({ error: 'use_dpop_nonce' })]);
    expect(await stored()).toEqual(before);
    const { status, body } = await refresh({ nonce: refused[1]?.get('DPoP-Nonce') ?? '' });
    expect([status, body]).toEqual([200, expect.objectContaining({ token_type: 'DPoP', refresh_token })]);
  });

  it('gets one code for a pushed request, however long the sign-in takes', async () => {
    const { redis, config } = auth.context;
    const { body } = await push();
    const { request_uri } = body as { request_uri: string };
    const browser = auth.browser();
    const page = await browser.open(
      `/authorize?${new URLSearchParams({ client_id, request_uri }).toString()}`,
    );
    // Redis has it as long as the form can be sent, though no other sign-in can begin with it after a minute.
    const id = request_uri.split(':').at(-1) ?? '';
    const key = `${config.NAMESPACE}:auth:PushedAuthorizationRequest:${id}`;
    expect(await redis.ttl(key)).toBeGreaterThan(30 * 60);
    const end = await browser.submit(page, { login: member.username, password: member.password });
    expect(new URL(end.get('Location') ?? '').searchParams.get('code')).toBeTruthy();
    const again = await browser.open(formOf(page).action.replace('/login/', '/authorize/'));
    expect(again.get('Location') ?? '').not.toContain('code=');
    expect(await redis.ttl(key)).toBeGreaterThan(30 * 60);
  });

  it('is registered with public keys only, and is no public client and none of staff', async () => {
    const { privateKey: extractable } = await generateKeyPair('ES256', { extractable: true });
    await create({ fapi_keys: { keys: [await exportJWK(extractable)] } }).expect(403);
    await create({ fapi_keys: { keys: [jwk] }, public: true }).expect(403);
    await create({ fapi_keys: { keys: [jwk] }, staff: true }).expect(403);
    await create({ fapi_keys: { keys: [{ kty: 'oct', k: 'secret' }] } }).expect(403);
    await auth.internal('/internal/clients/secret', { client_id }).expect(403);
    const { body } = await auth.internal('/internal/clients/list', {}).expect(200);
    const { clients } = body as { clients: { client_id: string }[] };
    expect(clients.find((one) => one.client_id === client_id)).toMatchObject({ fapi: true, public: false });
  });

  it('shares /par with other clients, which need not use it', async () => {
    const { client_id: other, client_secret } = auth.client;
    const { status, body } = await push({ client_id: other }, { client_secret });
    expect(status).toBe(201);
    const { request_uri } = body as { request_uri: string };
    const page = await auth
      .browser()
      .open(`/authorize?${new URLSearchParams({ client_id: other, request_uri }).toString()}`);
    expect(page.text).toContain('name="password"');
  });
});
