import { z } from 'zod';
import type { ChallengeContext } from './challenge.ts';

/** Days for which the notice of a new passkey can remove it. */
export const undoDays = 7;

const linkSchema = z.object({
  member_id: z.string(),
  /** Id of the passkey. */
  id: z.string(),
  /** Milliseconds since the epoch. */
  until: z.number(),
});

/** The passkey that a link removes. */
export type UndoLink = z.output<typeof linkSchema>;

const bound = 'link';

/** Path of the link that removes a passkey. It is encrypted, not stored: using it again changes nothing. */
export function undoPath(
  member_id: string,
  id: string,
  { keys, now }: Pick<ChallengeContext, 'keys' | 'now'>,
): string {
  const until = now().getTime() + undoDays * 24 * 60 * 60 * 1000;
  const link: UndoLink = { member_id, id, until };
  return `/passkey/${keys.seal.seal('passkey-undo', JSON.stringify(link), bound)}`;
}

/** Content of a link; undefined when it is invalid or expired. */
export function openUndoLink(
  token: string,
  { keys, now }: Pick<ChallengeContext, 'keys' | 'now'>,
): UndoLink | undefined {
  const text = keys.seal.open('passkey-undo', token, bound);
  if (text === undefined) return undefined;
  const link = linkSchema.parse(JSON.parse(text));
  return link.until > now().getTime() ? link : undefined;
}
