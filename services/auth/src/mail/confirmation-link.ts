import { z } from 'zod';
import { changeDays } from '../accounts/addresses.ts';
import type { Seal } from '../keys/seal.ts';
import type { MailContext } from './mail-context.ts';

const confirmationSchema = z.object({
  member_id: z.string(),
  email: z.string(),
  /** Locale of the mail. */
  locale: z.string().optional(),
  /** Milliseconds since the epoch. */
  until: z.number(),
});

/** The address that a link confirms. */
export type Confirmation = z.output<typeof confirmationSchema>;

const bound = 'link';

/**
 * Creates the token of a confirmation link. It is encrypted, not stored: using it again changes nothing, and it is
 * worthless once the address is neither current nor pending.
 */
export function sealConfirmation(
  member_id: string,
  email: string,
  locale: string | undefined,
  { keys, now }: Pick<MailContext, 'keys' | 'now'>,
): string {
  const until = now().getTime() + changeDays * 24 * 60 * 60 * 1000;
  const confirmation: Confirmation = { member_id, email, locale, until };
  return keys.seal.seal('email-confirmation', JSON.stringify(confirmation), bound);
}

/** Content of a link; undefined when it is invalid or expired. */
export function openConfirmation(token: string, seal: Seal, now: Date): Confirmation | undefined {
  const text = seal.open('email-confirmation', token, bound);
  if (text === undefined) return undefined;
  const confirmation = confirmationSchema.parse(JSON.parse(text));
  return confirmation.until > now.getTime() ? confirmation : undefined;
}
