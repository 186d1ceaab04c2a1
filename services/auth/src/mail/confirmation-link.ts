import { z } from 'zod';
import { changeDays } from '../accounts/emails/addresses.ts';
import type { Seal } from '../keys/seal.ts';
import type { MailContext } from './mail-context.ts';

const confirmationSchema = z.object({
  member_id: z.string(),
  email: z.string(),
  /** The language of the mail. */
  locale: z.string().optional(),
  /** Milliseconds since the epoch. */
  until: z.number(),
});

/** Whose address a link confirms. */
export type Confirmation = z.output<typeof confirmationSchema>;

const bound = 'link';

/**
 * What the link of a confirmation mail carries. It is sealed, not stored: it may be used again, because confirming twice
 * changes nothing, and is worth nothing once this address is neither the member's nor waits to be.
 */
export function sealConfirmation(
  member_id: string,
  email: string,
  locale: string | undefined,
  { seal, now }: Pick<MailContext, 'seal' | 'now'>,
): string {
  const until = now().getTime() + changeDays * 24 * 60 * 60 * 1000;
  const confirmation: Confirmation = { member_id, email, locale, until };
  return seal.seal('email-confirmation', JSON.stringify(confirmation), bound);
}

/** What a link says, or undefined when it is none of ours or too old. */
export function openConfirmation(token: string, seal: Seal, now: Date): Confirmation | undefined {
  const text = seal.open('email-confirmation', token, bound);
  if (text === undefined) return undefined;
  const confirmation = confirmationSchema.parse(JSON.parse(text));
  return confirmation.until > now.getTime() ? confirmation : undefined;
}
