import { createHash, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { SessionStore } from '../tokens/sessions/session-store.ts';

/** A kind of mailed link: its lifetime and the content that is stored for its token. */
export interface LinkKind<Content extends { readonly member_id: string }> {
  readonly kind: string;
  readonly minutes: number;
  readonly schema: z.ZodType<Content>;
}

/** SHA-256 as base64url. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Creates a token of 256 random bits. Only its hash is stored, with the content of the link. */
export async function createToken<Content extends { readonly member_id: string }>(
  { kind, minutes }: LinkKind<Content>,
  content: Content,
  sessions: SessionStore,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const entry = { kind, id: hashOf(token), payload: JSON.stringify(content) };
  await sessions.save([entry], minutes * 60, content.member_id);
  return token;
}

/** The content of a link; undefined when its token is unknown or expired, or a version before made it. */
export async function findContent<Content extends { readonly member_id: string }>(
  { kind, schema }: LinkKind<Content>,
  token: string,
  sessions: SessionStore,
): Promise<Content | undefined> {
  const found = await sessions.find(kind, hashOf(token));
  return found && schema.safeParse(JSON.parse(found.payload)).data;
}

/** Uses a token up; false when another request was first. */
export const takeToken = (
  { kind }: { readonly kind: string },
  token: string,
  sessions: SessionStore,
): Promise<boolean> => sessions.take(kind, hashOf(token));
