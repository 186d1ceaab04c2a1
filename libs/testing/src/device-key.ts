import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createHash, randomUUID } from 'node:crypto';

/** The claims of a DPoP proof; each can be wrong. */
export interface TestProof {
  readonly htm: string;
  readonly htu: string;
  /** The access token that it comes with. */
  readonly token?: string;
  readonly jti?: string;
  readonly iat?: number;
  readonly typ?: string;
  readonly ath?: string;
}

/** A key of an app, which makes DPoP proofs (RFC 9449). */
export async function createDeviceKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  return {
    /** The thumbprint, `cnf.jkt` of tokens. */
    thumbprint: await calculateJwkThumbprint(jwk),
    prove: ({ token, typ = 'dpop+jwt', ...claims }: TestProof): Promise<string> =>
      new SignJWT({
        jti: randomUUID(),
        iat: Math.floor(Date.now() / 1000),
        ...(token !== undefined && { ath: createHash('sha256').update(token).digest('base64url') }),
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', typ, jwk })
        .sign(privateKey),
  };
}

/** A key of an app. */
export type DeviceKey = Awaited<ReturnType<typeof createDeviceKey>>;
