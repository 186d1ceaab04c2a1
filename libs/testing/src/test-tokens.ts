import { createBearerVerifier, type BearerVerifier } from '@covalence/http/bearer';
import { exportJWK, generateKeyPair, SignJWT, type JSONWebKeySet } from 'jose';
import { v7 } from 'uuid';

/** Who a test token speaks for. */
export interface TestCaller {
  readonly id: number;
  readonly memberId?: string;
  readonly siteid?: number;
  readonly scope?: string;
  /** Seconds from now; negative is expired. */
  readonly lifetime?: number;
}

/** Access tokens as the auth service signs them, with keys of the suite's own, and the verifier that takes them. */
export interface TestTokens {
  readonly bearer: BearerVerifier;
  /** The keys as /jwks of the auth service answers them, for a process that a suite starts. */
  readonly jwks: JSONWebKeySet;
  /** The value of an Authorization header. */
  authorization(caller: TestCaller): Promise<string>;
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
    async authorization({ id, memberId = v7(), siteid = 1, scope = 'member', lifetime = 1800 }) {
      const now = Math.floor(Date.now() / 1000);
      const token = await new SignJWT({ mid: id, site: siteid, client_id: 'test', scope })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .setSubject(memberId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetime)
        .sign(privateKey);
      return `Bearer ${token}`;
    },
  };
}
