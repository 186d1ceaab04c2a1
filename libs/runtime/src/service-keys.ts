import { createPrivateKey, createPublicKey, randomBytes, type KeyObject } from 'node:crypto';

/** The PKCS #8 prefix of the 32 bytes of a private Ed25519 key. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const bytesOfKey = 32;

/** Whether a text is a key as in the settings: 32 bytes as base64url. */
export const isServiceKey = (text: string): boolean =>
  /^[\w-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;

/** Creates an entry of SERVICE_SECRET. */
export const newServiceSecret = (): string => randomBytes(bytesOfKey).toString('base64url');

/** The Ed25519 key of an entry of SERVICE_SECRET. */
export const privateKeyOf = (secret: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, Buffer.from(secret, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  });

/** The Ed25519 key of an entry of SERVICE_PUBLIC_KEYS. */
export const publicKeyOf = (key: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });

/** The public key of an entry of SERVICE_SECRET, 32 bytes as base64url. */
export const publicTextOf = (secret: string): string =>
  createPublicKey(privateKeyOf(secret)).export({ format: 'jwk' }).x ?? '';
