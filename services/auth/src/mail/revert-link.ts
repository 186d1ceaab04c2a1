import { z } from 'zod';
import type { Account, Addresses, QueuedMail } from '../accounts/account.ts';
import { changeDays, isSameEmail, protectedOf } from '../accounts/addresses.ts';
import type { Seal } from '../keys/seal.ts';
import { queuedMail, type MailContent } from './queued-mail.ts';
import type { MailContext } from './mail-context.ts';

const linkSchema = z.object({
  member_id: z.string(),
  /** Id of the protected address. */
  id: z.string(),
});

/** The protected address of a link. */
export type RevertLink = z.output<typeof linkSchema>;

const bound = 'link';

/**
 * The mail that reports a change to the address of the account before it, with the link that reverts it; none when
 * that address is not protected.
 */
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
  return text === undefined ? undefined : linkSchema.parse(JSON.parse(text));
}
