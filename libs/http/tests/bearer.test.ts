import { listen } from '@covalence/runtime/lifecycle';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createBearerVerifier, type BearerVerifier } from '../src/bearer.ts';

const issuer = 'https://auth.example';
const audience = 'https://api.example';
const start = 1_800_000_000;

const later = (minutes: number) => {
  const then = performance.now() + minutes * 60_000;
  jest.spyOn(performance, 'now').mockReturnValue(then);
};

describe('bearer tokens', () => {
  let good: CryptoKey;
  let publicKey: CryptoKey;
  let other: CryptoKey;
  let verifier: BearerVerifier;
  let now = start;

  beforeAll(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    good = pair.privateKey;
    publicKey = pair.publicKey;
    other = (await generateKeyPair('ES256')).privateKey;
    verifier = createBearerVerifier({
      jwksUrl: 'https://unused.example',
      issuer,
      audience,
      now: () => now,
      keys: () => Promise.resolve(publicKey),
    });
  });

  interface Changes {
    readonly claims?: JWTPayload;
    readonly typ?: string;
    readonly key?: CryptoKey;
  }

  const sign = ({ claims = {}, typ = 'at+jwt', key = good }: Changes = {}) =>
    new SignJWT({
      mid: 7,
      site: 1,
      client_id: 'app',
      scope: 'member',
      sub: randomUUID(),
      iss: issuer,
      aud: audience,
      exp: start + 1800,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ })
      .setIssuedAt(start)
      .sign(key);

  const problem = async (token: string) => {
    const error: unknown = await verifier.fromHeader(`Bearer ${token}`).catch((thrown: unknown) => thrown);
    return error as { status: number; headers: Record<string, string> };
  };

  it('returns the caller of a valid token', async () => {
    const sub = randomUUID();
    await expect(verifier.fromHeader(`Bearer ${await sign({ claims: { sub } })}`)).resolves.toEqual({
      id: 7,
      memberId: sub,
      siteid: 1,
      clientId: 'app',
      scopes: ['member'],
      roles: {},
      issued: start,
      expires: start + 1800,
    });
  });

  it.each([
    ['another key', () => sign({ key: other })],
    ['another issuer', () => sign({ claims: { iss: 'https://evil.example' } })],
    ['another audience', () => sign({ claims: { aud: 'https://other.example' } })],
    ['another type of token', () => sign({ typ: 'rt+jwt' })],
    ['an expired one', () => sign({ claims: { exp: start - 1 } })],
    ['one without member', () => sign({ claims: { sub: 'nobody' } })],
    [
      'an unsigned one',
      () => Promise.resolve(new UnsecuredJWT({ sub: randomUUID(), mid: 7, site: 1 }).encode()),
    ],
    [
      'HS256 with the public key as secret',
      async () =>
        new SignJWT({ mid: 7, site: 1, client_id: 'app', sub: randomUUID(), iss: issuer, aud: audience })
          .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
          .setExpirationTime(start + 1800)
          .sign(new TextEncoder().encode(await exportSPKI(publicKey))),
    ],
    ['garbage', () => Promise.resolve('a.b.c')],
  ])('refuses %s with 401 and invalid_token', async (_name, token) => {
    const { status, headers } = await problem(await token());
    expect(status).toBe(401);
    expect(headers['WWW-Authenticate']).toMatch(
      /^Bearer realm="covalence", error="invalid_token", error_desc/,
    );
  });

  it('challenges a call without a token, without an error code (RFC 6750)', async () => {
    await expect(verifier.fromHeader(undefined)).rejects.toMatchObject({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer realm="covalence"' },
    });
  });

  it('refuses a cached token after its expiry', async () => {
    const token = await sign({ claims: { exp: start + 10 } });
    await verifier.fromToken(token);
    now = start + 11;
    await expect(verifier.fromToken(token)).rejects.toMatchObject({ status: 401 });
    expect(verifier.known(`Bearer ${token}`)).toBeUndefined();
    now = start;
  });

  it('caches callers by the complete token', async () => {
    const header = `Bearer ${await sign()}`;
    expect([verifier.known(header), verifier.known(undefined)]).toEqual([undefined, undefined]);
    const caller = await verifier.fromHeader(header);
    expect(verifier.known(header)).toBe(caller);
    const [head = '', , signature = ''] = header.split('.');
    const [, others = ''] = (await sign({ claims: { mid: 8 } })).split('.');
    const forged = [head, others, signature].join('.');
    expect(verifier.known(forged)).toBeUndefined();
    await expect(verifier.fromHeader(forged)).rejects.toMatchObject({ status: 401 });
  });

  it('answers 503, not 401, when the keys cannot be fetched', async () => {
    const cut = createBearerVerifier({
      jwksUrl: 'http://127.0.0.1:9/jwks',
      issuer,
      audience,
      now: () => now,
    });
    await expect(cut.fromToken(await sign())).rejects.toMatchObject({ status: 503 });
  });

  describe('with the keys of an auth service', () => {
    let keys: JWK[];
    let auth: Server;
    let asking: BearerVerifier;

    beforeEach(async () => {
      keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }];
      auth = createServer((_request, response) => response.end(JSON.stringify({ keys })));
      const port = await listen(auth, 0, '127.0.0.1');
      const jwksUrl = `http://127.0.0.1:${port}/jwks`;
      asking = createBearerVerifier({ jwksUrl, issuer, audience, now: () => now });
      await asking.fromToken(await sign());
    });
    afterEach(async () => {
      jest.restoreAllMocks();
      auth.closeAllConnections();
      if (auth.listening) await new Promise((resolve) => auth.close(resolve));
    });

    it('uses the cached keys during an outage of any length', async () => {
      auth.closeAllConnections();
      await new Promise((resolve) => auth.close(resolve));
      for (let hours = 1; hours < 4; hours += 1) {
        later(60);
        await expect(asking.fromToken(await sign())).resolves.toMatchObject({ id: 7 });
      }
      await expect(asking.fromToken(await sign({ key: other }))).rejects.toMatchObject({ status: 401 });
    });

    it('refuses tokens of a removed key after ten minutes, even if the clock is set back', async () => {
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
      keys = [{ ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), alg: 'ES256', use: 'sig' }];
      await expect(asking.fromToken(await sign())).resolves.toMatchObject({ id: 7 });
      later(11);
      await expect(asking.fromToken(await sign())).rejects.toMatchObject({ status: 401 });
    });
  });
});
