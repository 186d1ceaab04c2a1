import fresh from 'fresh';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The strong entity tag of a content. */
export const entityTag = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`;

/**
 * Whether who asks holds the version with this entity tag already (If-None-Match), so that 304 is the answer.
 * Express itself answers no 304 to `Cache-Control: no-cache`, which every fetch with an If-None-Match of its own says.
 */
export function holdsVersion({ headers }: Pick<IncomingMessage, 'headers'>, etag: string): boolean {
  return fresh({ 'if-none-match': headers['if-none-match'] }, { etag });
}
