import fresh from 'fresh';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The strong entity tag of a content. */
export const entityTag = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`;

/**
 * Whether If-None-Match has this entity tag, so that the answer is 304. Express does not answer 304 to
 * `Cache-Control: no-cache`, which every fetch with its own If-None-Match sends.
 */
export function holdsVersion({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag });
}
