import type { Clock } from '@covalence/runtime/clock';
import { z } from 'zod';
import type { Seal } from '../keys/seal.ts';

/** Days for which the notice of a new passkey or app can remove it. */
export const undoDays = 7;

/** The key of each link, whose path begins with its name. */
const purposes = { passkey: 'passkey-undo', 'two-step': 'two-step-undo' } as const;

/** What a mailed notice can remove. */
export type Undoable = keyof typeof purposes;

const linkSchema = z.object({
  member_id: z.string(),
  /** Id of the passkey, or when the app was added in milliseconds since the epoch. */
  id: z.string(),
  /** Milliseconds since the epoch. */
  until: z.number(),
});

/** What a link removes. */
export type UndoLink = z.output<typeof linkSchema>;

interface LinkContext {
  readonly keys: { readonly seal: Seal };
  readonly now: Clock;
}

const bound = 'link';

/** Path of the link that removes something. It is encrypted, not stored: using it again changes nothing. */
export function undoPath(what: Undoable, member_id: string, id: string, { keys, now }: LinkContext): string {
  const until = now().getTime() + undoDays * 24 * 60 * 60 * 1000;
  const link: UndoLink = { member_id, id, until };
  return `/${what}/${keys.seal.seal(purposes[what], JSON.stringify(link), bound)}`;
}

/** Content of a link; undefined when it is invalid or expired. */
export function openUndoLink(
  what: Undoable,
  token: string,
  { keys, now }: LinkContext,
): UndoLink | undefined {
  const text = keys.seal.open(purposes[what], token, bound);
  if (text === undefined) return undefined;
  const link = linkSchema.parse(JSON.parse(text));
  return link.until > now().getTime() ? link : undefined;
}
