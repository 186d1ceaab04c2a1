import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SessionsContext } from '../../tokens/sessions/member-sessions.ts';

/** Seconds in which a challenge can be taken. */
export const challengeSeconds = 15 * 60;

const kind = 'passkey-challenge';

const challengeSchema = z.object({
  /** 32 random bytes as base64url. */
  challenge: z.string(),
  /** User id of a new passkey. */
  user: z.string().optional(),
  /** Milliseconds since the epoch. */
  created: z.number(),
});

/** A challenge that an authenticator signs, or whose sealed text another provider signs as a nonce. */
export type Challenge = z.output<typeof challengeSchema>;

/** Random bytes as base64url. */
export const randomId = (): string => randomBytes(32).toString('base64url');

/** Creates a challenge for one form of one browser; the form brings it back sealed. Nothing is stored until then. */
export function createChallenge(bound: string, { keys, clock }: SessionsContext, user?: string) {
  const challenge = randomId();
  const content: Challenge = { challenge, user, created: clock().getTime() };
  return { challenge, sealed: keys.seal.seal(kind, JSON.stringify(content), bound) };
}

/** Takes the challenge of a form, once. Undefined when it is of another form or browser, expired, or was taken before. */
export async function takeChallenge(
  sealed: string,
  bound: string,
  { keys, tokens, clock }: SessionsContext,
): Promise<Challenge | undefined> {
  const text = keys.seal.open(kind, sealed, bound);
  if (text === undefined) return undefined;
  const content = challengeSchema.parse(JSON.parse(text));
  if (content.created + challengeSeconds * 1000 <= clock().getTime()) return undefined;
  const isFirst = await tokens.sessions.claim(kind, content.challenge, challengeSeconds);
  return isFirst ? content : undefined;
}

/** Lets a challenge be taken again: what it was taken for came to nothing. */
export const releaseChallenge = ({ challenge }: Challenge, { tokens }: SessionsContext): Promise<void> =>
  tokens.sessions.remove(kind, challenge);
