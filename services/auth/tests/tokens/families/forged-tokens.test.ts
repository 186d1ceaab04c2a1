import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWTHeaderParameters,
} from 'jose';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestMember } from '../../support/people.ts';

type Kind = 'code' | 'refresh';

describe('forged codes and refresh tokens', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('forged');
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  const use = (kind: Kind, token: string) =>
    kind === 'code'
      ? auth.token({ ...auth.client, grant_type: 'authorization_code', code: token })
      : auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token: token });

  const freshCode = async () =>
    (await auth.browser().signIn(auth.client, member)).searchParams.get('code') ?? '';
  const fresh: Record<Kind, () => Promise<string>> = {
    code: freshCode,
    refresh: async () => {
      const pair = await use('code', await freshCode()).expect(200);
      return (pair.body as { refresh_token: string }).refresh_token;
    },
  };

  interface Changes {
    readonly claims?: Record<string, unknown>;
    readonly header?: Partial<JWTHeaderParameters>;
    readonly key?: CryptoKey | Uint8Array;
  }

  /** The token as somebody would sign it who knows everything that is in it; by default with our own key. */
  const sign = async (token: string, { claims = {}, header = {}, key }: Changes) => {
    const { signing } = await auth.context.keys.ring.current();
    return new SignJWT({ ...decodeJwt(token), ...claims })
      .setProtectedHeader({ ...decodeProtectedHeader(token), alg: 'ES256', ...header })
      .sign(key ?? signing.privateKey);
  };
  const publicKeyText = async () =>
    new TextEncoder().encode(await exportSPKI((await auth.context.keys.ring.current()).signing.publicKey));

  const forgeries: [string, (token: string) => Promise<string>][] = [
    ['another key', async (token) => sign(token, { key: (await generateKeyPair('ES256')).privateKey })],
    ['an unknown key', (token) => sign(token, { header: { kid: 'other' } })],
    [
      'another algorithm',
      async (token) =>
        sign(token, { key: (await generateKeyPair('ES384')).privateKey, header: { alg: 'ES384' } }),
    ],
    [
      'HS256 with the public key as secret',
      async (token) => sign(token, { key: await publicKeyText(), header: { alg: 'HS256' } }),
    ],
    ['no signature', (token) => Promise.resolve(new UnsecuredJWT(decodeJwt(token)).encode())],
    ['another issuer', (token) => sign(token, { claims: { iss: 'https://evil.example' } })],
    ['another type', (token) => sign(token, { header: { typ: 'at+jwt' } })],
    ['no family', (token) => sign(token, { claims: { family: undefined, jti: 'x'.repeat(43) } })],
    [
      'the family of another sign-in',
      (token) => sign(token, { claims: { family: 'x'.repeat(43), jti: 'x' } }),
    ],
    ['the bare id', (token) => Promise.resolve(decodeJwt(token).jti ?? '')],
    ['ten kilobytes', (token) => Promise.resolve(`${token}${'A'.repeat(10_000)}`)],
  ];

  it.each(forgeries)('are rejected for %s', async (_name, forge) => {
    for (const kind of ['code', 'refresh'] as const) {
      const good = await fresh[kind]();
      const answer = await use(kind, await forge(good));
      expect([kind, answer.status]).toEqual([kind, 400]);
      expect(answer.body).toMatchObject({ error: 'invalid_grant' });
      // No harm is done to the good one.
      await use(kind, good).expect(200);
    }
  });

  it('are rejected with another id; a correctly signed refresh token counts as reuse', async () => {
    const code = await fresh.code();
    const other = { claims: { jti: 'x'.repeat(43) } };
    expect((await use('code', await sign(code, other)).expect(400)).body).toMatchObject({
      error: 'invalid_grant',
    });
    const pair = (await use('code', code).expect(200)).body as { refresh_token: string };
    for (const token of [await sign(pair.refresh_token, other), pair.refresh_token])
      expect((await use('refresh', token).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('are valid when signed again without changes', async () => {
    for (const kind of ['code', 'refresh'] as const) {
      const answer = await use(kind, await sign(await fresh[kind](), {}));
      expect([kind, answer.status]).toEqual([kind, 200]);
    }
  });
});
