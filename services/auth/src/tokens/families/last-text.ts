import { hash } from 'node:crypto';
import type { Family } from './family-store.ts';
import { isSameText } from '../../keys/same-text.ts';

/** By which a refresh token is known again as the one that was given out. */
export const textHash = (token: string): string => hash('sha256', token, 'base64url');

/** Whether this is, letter for letter, the refresh token that a refresh gave the family last. */
export function isLastText(token: string, { text_hash }: Family): boolean {
  return isSameText(textHash(token), text_hash ?? '');
}
