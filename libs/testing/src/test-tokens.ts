import { createBearerVerifier, type BearerVerifier } from '@covalence/http/bearer';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JSONWebKeySet } from 'jose';
import { v7 } from 'uuid';

/** Who a test token speaks for. */
export interface TestCaller {
  readonly id: number;
  readonly memberId?: string;
  readonly siteid?: number;
  readonly scope?: string;
  /** The sign-in that it comes from. */
  readonly family?: string;
  readonly clientId?: string;
  /** Seconds from now; negative is expired. */
  readonly lifetime?: number;
  /** Seconds since the credentials were entered, 0 where nothing is said; null makes a token that does not tell. */
  readonly signedInAgo?: number | null;
}

/** What is wrong with a token. */
export interface TestForgery {
  readonly issuer?: string;
  readonly audience?: string;
  readonly type?: string;
  /** HS256 is made with the public key as its secret; `none` without a signature. */
  readonly algorithm?: 'ES256' | 'ES384' | 'HS256' | 'none';
  /** Signed with a key of somebody else's. */
  readonly otherKey?: true;
}

/** Access tokens as the auth service signs them, with keys of the suite's own, and the verifier that takes them. */
export interface TestTokens {
  readonly bearer: BearerVerifier;
  /** The keys as /jwks of the auth service answers them, for a process that a suite starts. */
  readonly jwks: JSONWebKeySet;
  /** The value of an Authorization header. */
  authorization(caller: TestCaller, forgery?: TestForgery): Promise<string>;
}

const issuer = 'http://auth.test';
const audience = 'http://api.test';

/** Creates the keys of one suite. */
export async function createTestTokens(): Promise<TestTokens> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const bearer = createBearerVerifier({
    jwksUrl: 'http://unused.test',
    issuer,
    audience,
    keys: () => Promise.resolve(publicKey),
  });
  return {
    bearer,
    jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] },
    async authorization(caller, forgery = {}) {
      const { id, memberId = v7(), siteid = 1, scope = 'member', lifetime = 1800 } = caller;
      const { clientId: client_id = 'test', family, signedInAgo = 0 } = caller;
      const iat = Math.floor(Date.now() / 1000);
      const claims = {
        mid: id,
        site: siteid,
        client_id,
        scope,
        family,
        sub: memberId,
        iss: forgery.issuer ?? issuer,
        aud: forgery.audience ?? audience,
        iat,
        exp: iat + lifetime,
        ...(signedInAgo !== null && { auth_time: iat - signedInAgo }),
      };
      const { algorithm: alg = 'ES256', otherKey, type: typ = 'at+jwt' } = forgery;
      if (alg === 'none') return `Bearer ${new UnsecuredJWT(claims).encode()}AAAA`;
      const own = alg === 'HS256' ? new TextEncoder().encode(await exportSPKI(publicKey)) : privateKey;
      const key = otherKey || alg === 'ES384' ? (await generateKeyPair(alg)).privateKey : own;
      return `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg, typ }).sign(key)}`;
    },
  };
}
