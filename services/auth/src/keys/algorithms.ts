import { hash, sign, verify, type KeyObject } from 'node:crypto';

/** SHA-256 as base64url. */
export const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/** JOSE writes an ECDSA signature as two numbers of fixed length (RFC 7518, 3.4), not as DER. */
const dsaEncoding = 'ieee-p1363';

/** Signs with ES256. */
export function signEs256(data: Buffer, key: KeyObject): Buffer {
  return sign('sha256', data, { key, dsaEncoding });
}

/** Checks an ES256 signature. */
export function isSignedEs256(data: Buffer, signature: Buffer, key: KeyObject): boolean {
  return verify('sha256', data, { key, dsaEncoding }, signature);
}
