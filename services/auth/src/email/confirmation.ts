import { z } from 'zod';
import type { Account } from '../accounts/account-store.ts';
import type { Seal } from '../keys/seal.ts';

/** Days that the link of a confirmation mail works. */
export const confirmationDays = 7;

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
 * changes nothing, and is worth nothing once the member has another address.
 */
export function sealConfirmation(
  { _id, email }: Account,
  locale: string | undefined,
  seal: Seal,
  now: Date,
): string {
  const until = now.getTime() + confirmationDays * 24 * 60 * 60 * 1000;
  const confirmation: Confirmation = { member_id: _id, email, locale, until };
  return seal.seal('email-confirmation', JSON.stringify(confirmation), bound);
}

/** What a link says, or undefined when it is none of ours or too old. */
export function openConfirmation(token: string, seal: Seal, now: Date): Confirmation | undefined {
  const text = seal.open('email-confirmation', token, bound);
  if (text === undefined) return undefined;
  const confirmation = confirmationSchema.parse(JSON.parse(text));
  return confirmation.until > now.getTime() ? confirmation : undefined;
}
