import { errors, type JWTVerifyGetKey } from 'jose';
import type { KeyRing } from './key-ring.ts';

/** The keys that this service's own tokens are verified with, without a way around by the JWKS address. */
export function verificationKey(keyRing: KeyRing): JWTVerifyGetKey {
  return async ({ kid }) => {
    const { keys } = await keyRing.current();
    const key = keys.find((one) => one.kid === kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key.publicKey;
  };
}
