import { errors, type JWTVerifyGetKey } from 'jose';
import type { KeyRing } from './key-ring.ts';

/** Keys for verifying this service's own tokens, without a request to its JWKS address. */
export function verificationKey(keyRing: KeyRing): JWTVerifyGetKey {
  return async ({ kid }) => {
    const { keys } = await keyRing.current();
    const key = keys.find((one) => one.kid === kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.publicKey;
  };
}
