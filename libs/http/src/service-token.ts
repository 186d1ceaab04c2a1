import { unauthorized } from '@covalence/contract/failure';
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Checks that an /internal call comes from another service: its bearer token is the shared service secret, compared
 * in constant time. Throws 401 otherwise.
 */
export function checkServiceToken(header: string | undefined, secret: string): void {
  const token = header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : '';
  if (!timingSafeEqual(digest(token), digest(secret)))
    throw unauthorized(header ? 'invalid_token' : 'missing');
}
