import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { v7 } from 'uuid';

/** Access tokens as the auth service signs them, and the keys that verify them. */
export interface BenchTokens {
  /** What /jwks answers. */
  readonly jwks: string;
  /** An access token of the member with that number, good for an hour. */
  token(member: number): Promise<string>;
  /** An Authorization header with such a token. */
  authorization(member: number): Promise<string>;
}

/** Makes keys and signs with them, for a system at this address. */
export async function benchTokens(address: string): Promise<BenchTokens> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const header = { alg: 'ES256', typ: 'at+jwt', kid: 'bench' };
  const key = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: header.kid };
  const token = (member: number) =>
    new SignJWT({ mid: member, site: 1, client_id: 'bench', family: v7(), scope: 'member' })
      .setProtectedHeader(header)
      .setSubject(v7())
      .setIssuer(address)
      .setAudience(address)
      .setIssuedAt()
      .setExpirationTime('1 hour')
      .sign(privateKey);
  return {
    jwks: JSON.stringify({ keys: [key] }),
    token,
    authorization: async (member) => `Bearer ${await token(member)}`,
  };
}
