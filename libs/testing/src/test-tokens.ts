import { createBearerVerifier } from '@covalence/http/bearer';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { v7 } from 'uuid';

/** The member of a test token. */
export interface TestCaller {
  readonly id: number;
  readonly memberId?: string;
  readonly siteid?: number;
  readonly scope?: string;
  /** Roles of staff by site; `admin` everywhere by default. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  /** The sign-in. */
  readonly family?: string;
  readonly clientId?: string;
  /** Thumbprint of the key that the token is bound to. */
  readonly key?: string;
  /** Seconds from now; negative is expired. */
  readonly lifetime?: number;
  /** Seconds since the sign-in, default 0; null omits the claim. */
  readonly signedInAgo?: number | null;
}

/** The defects of a forged token. */
export interface TestForgery {
  readonly issuer?: string;
  readonly audience?: string;
  readonly type?: string;
  /** HS256 uses the public key as its secret; `none` has no signature. */
  readonly algorithm?: 'ES256' | 'ES384' | 'HS256' | 'none';
  /** Signed with an unknown key. */
  readonly otherKey?: true;
}

/** Signs access tokens with keys of the suite and verifies them. */
export type TestTokens = Awaited<ReturnType<typeof createTestTokens>>;

const issuer = 'http://auth.test';
const audience = 'http://api.test';

/** Creates the keys of a suite. */
export async function createTestTokens() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const bearer = createBearerVerifier({
    jwksUrl: 'http://unused.test',
    issuer,
    audience,
    keys: () => Promise.resolve(publicKey),
  });
  return {
    bearer,
    /** The body of /jwks, for processes that a suite starts. */
    jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] },
    /** Creates an Authorization header. */
    async authorization(caller: TestCaller, forgery: TestForgery = {}): Promise<string> {
      const { id, memberId = v7(), siteid = 1, scope = 'member', lifetime = 1800 } = caller;
      const { clientId: client_id = 'test', family, signedInAgo = 0, key: jkt } = caller;
      const iat = Math.floor(Date.now() / 1000);
      const claims = {
        mid: id,
        site: siteid,
        client_id,
        scope,
        ...((scope === 'staff' || caller.roles) && { roles: caller.roles ?? { '*': ['admin'] } }),
        family,
        sub: memberId,
        iss: forgery.issuer ?? issuer,
        aud: forgery.audience ?? audience,
        iat,
        exp: iat + lifetime,
        ...(signedInAgo !== null && { auth_time: iat - signedInAgo }),
        ...(jkt !== undefined && { cnf: { jkt } }),
      };
      const { algorithm: alg = 'ES256', otherKey, type: typ = 'at+jwt' } = forgery;
      if (alg === 'none') return `Bearer ${new UnsecuredJWT(claims).encode()}AAAA`;
      const own = alg === 'HS256' ? new TextEncoder().encode(await exportSPKI(publicKey)) : privateKey;
      const key = otherKey || alg === 'ES384' ? (await generateKeyPair(alg)).privateKey : own;
      const scheme = jkt === undefined ? 'Bearer' : 'DPoP';
      return `${scheme} ${await new SignJWT(claims).setProtectedHeader({ alg, typ }).sign(key)}`;
    },
  };
}
