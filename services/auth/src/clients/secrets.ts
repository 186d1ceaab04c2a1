import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => hash('sha256', text, 'buffer');

/** A new client secret: 32 random bytes as web-safe base64 (spec 5.7). */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** What is kept of a secret. A fast hash is enough for 256 random bits. */
export const hashSecret = (secret: string): string => digest(secret).toString('base64url');

/** Whether a secret is the one that was hashed; in constant time. */
export function secretMatches(secret: string, secretHash: string): boolean {
  return timingSafeEqual(digest(secret), Buffer.from(secretHash, 'base64url'));
}
