import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientApplication } from './client-store.ts';

const digest = (text: string) => hash('sha256', text, 'buffer');

/** A new client secret: 32 random bytes as web-safe base64. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The stored hash of a secret. A fast hash is enough for 256 random bits. */
export const hashSecret = (secret: string): string => digest(secret).toString('base64url');

/** Identifies a secret among those of its client: 8 hexadecimal digits, which no command line parses as an option. */
export const secretId = (secretHash: string): string =>
  Buffer.from(secretHash, 'base64url').toString('hex').slice(0, 8);

/** The hashes of a client's secrets, at most two, the older one first; a public client has none. */
export const secretHashesOf = ({ secret_hash, second_secret }: ClientApplication): string[] =>
  [secret_hash, second_secret?.hash].filter((hashed) => hashed !== undefined);

/** Whether a client keeps to FAPI 2.0: it is registered with keys. */
export const isFapi = ({ fapi_keys }: ClientApplication): boolean => fapi_keys !== undefined;

/** Whether a client is public: it cannot keep a secret or key, so it has none (RFC 6749, 2.1). */
export const isPublic = (client: ClientApplication): boolean =>
  secretHashesOf(client).length === 0 && !isFapi(client);

/** Whether a secret has one of these hashes; compared in constant time. */
export function secretMatches(secret: string, secretHashes: readonly string[]): boolean {
  const hashed = digest(secret);
  return secretHashes.some((kept) => timingSafeEqual(hashed, Buffer.from(kept, 'base64url')));
}
