import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { v7 } from 'uuid';

/** Access tokens as the auth service signs them, and the keys that verify them. */
export interface BenchTokens {
  /** What /jwks answers. */
  readonly jwks: string;
  /** An Authorization header of the member with that number, good for an hour. */
  authorization(member: number): Promise<string>;
}

/** Makes keys and signs with them, for a system at this address. */
export async function benchTokens(address: string): Promise<BenchTokens> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const header = { alg: 'ES256', typ: 'at+jwt', kid: 'bench' };
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: header.kid };
  return {
    jwks: JSON.stringify({ keys: [key] }),
    async authorization(member) {
      const claims = { mid: member, site: 1, client_id: 'bench', family: v7(), scope: 'member' };
      const token = await new SignJWT(claims)
        .setProtectedHeader(header)
        .setSubject(v7())
        .setIssuer(address)
        .setAudience(address)
        .setIssuedAt()
        .setExpirationTime('1 hour')
        .sign(privateKey);
      return `Bearer ${token}`;
    },
  };
}
