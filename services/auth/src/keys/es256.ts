import { sign, verify, type KeyObject } from 'node:crypto';

/**
 * ES256 (RFC 7518 3.4) on this thread, about 30 µs a signature and 60 µs a check. Web Crypto's calls, which libraries make,
 * cost as much here for being handed over, and then wait for a thread behind the passwords that are hashed.
 */
export function signEs256(data: Buffer, key: KeyObject): Buffer {
  return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
}

/** Whether the signature is the key's. */
export function isSignedEs256(data: Buffer, signature: Buffer, key: KeyObject): boolean {
  return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
}
