import { sign, verify, type KeyObject } from 'node:crypto';

/** Bytes of each of the two numbers that a signature of P-256 is. */
const size = 32;

/** One number of a signature in DER, which begins at `at` with its type and its length, in the form of JOSE: 32 bytes. */
function numberAt(der: Buffer, at: number, into: Buffer, end: number): number {
  const length = der[at + 1] ?? 0;
  const from = at + 2;
  // DER writes the numbers as short as they are, with a zero ahead where the first bit would else be a sign.
  const kept = Math.min(length, size);
  der.copy(into, end - kept, from + length - kept, from + length);
  return from + length;
}

/** A signature of P-256 in the form of JOSE (RFC 7518 3.4), from DER, where it is a SEQUENCE of two INTEGERs under 128 bytes. */
export function joseOfDer(der: Buffer): Buffer {
  const jose = Buffer.alloc(2 * size);
  const second = numberAt(der, 2, jose, size);
  numberAt(der, second, jose, 2 * size);
  return jose;
}

/**
 * ES256 (RFC 7518 3.4) on this thread, about 25 µs a signature and 60 µs a check. Web Crypto's calls, which libraries make,
 * cost as much here for being handed over to another thread. Node itself gives the form of JOSE only to a key within an object
 * of options, which takes it as long again as the signature.
 */
export function signEs256(data: Buffer, key: KeyObject): Buffer {
  return joseOfDer(sign('sha256', data, key));
}

/** Whether the signature is the key's. */
export function isSignedEs256(data: Buffer, signature: Buffer, key: KeyObject): boolean {
  return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
}
