import { z } from 'zod';
import type { Account, Addresses, QueuedMail } from '../accounts/account.ts';
import { changeDays, isSameEmail, protectedOf } from '../accounts/addresses.ts';
import type { Seal } from '../keys/seal.ts';
import type { MailContext } from './mail-context.ts';
import { queuedMail, type MailContent } from './queued-mail.ts';

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

const revertSchema = z.object({
  member_id: z.string(),
  /** Id of the protected address. */
  id: z.string(),
});

/** The protected address of a link. */
export type RevertLink = z.output<typeof revertSchema>;

/** The mail that reports a change to the former address, with a revert link if that one is protected. */
export function revertMails(
  { _id: member_id, email, username }: Account,
  after: Addresses,
  topic: MailContent['topic'],
  { keys, issuer, now }: Pick<MailContext, 'keys' | 'issuer' | 'now'>,
): QueuedMail[] {
  const found = protectedOf(after, now()).find((one) => isSameEmail(one.email, email));
  if (!found) return [];
  const link: RevertLink = { member_id, id: found.id };
  const token = keys.seal.seal('email-revert', JSON.stringify(link), bound);
  const content = {
    topic,
    to: email,
    username,
    values: { days: changeDays },
    link: `${issuer}/email/${token}/revert`,
  };
  return [queuedMail(content, found.until, keys.seal)];
}

/** Content of a link; undefined when it is invalid. The account knows whether it has expired. */
export function openRevertLink(token: string, seal: Seal): RevertLink | undefined {
  const text = seal.open('email-revert', token, bound);
  return text === undefined ? undefined : revertSchema.parse(JSON.parse(text));
}
