import { z } from 'zod';
import type { Account, Letter } from '../accounts/account.ts';
import { changeDays, isSameEmail, protectedOf, type Addresses } from '../accounts/emails/addresses.ts';
import type { Seal } from '../keys/seal.ts';
import { writeLetter, type LetterContent } from './queued-mail.ts';
import type { MailContext } from './mail-context.ts';

const linkSchema = z.object({
  member_id: z.string(),
  /** Of the protected address. */
  id: z.string(),
});

/** Which protected address a link names. */
export type RevertLink = z.output<typeof linkSchema>;

const bound = 'link';

/**
 * The letter to the address in force of `before` that tells of a change and has the link that reverts it; none where that address is
 * not protected. It is tried for as long as the link works.
 */
export function writeRevertLetter(
  { _id: member_id, email, username }: Account,
  after: Addresses,
  topic: LetterContent['topic'],
  { seal, issuer, now }: Pick<MailContext, 'seal' | 'issuer' | 'now'>,
): Letter[] {
  const found = protectedOf(after, now()).find((one) => isSameEmail(one.email, email));
  if (!found) return [];
  const link: RevertLink = { member_id, id: found.id };
  const token = seal.seal('email-revert', JSON.stringify(link), bound);
  const content = {
    topic,
    to: email,
    username,
    values: { days: changeDays },
    link: `${issuer}/email/${token}/revert`,
  };
  return [writeLetter(content, found.until, seal)];
}

/** What a link says, or undefined when it is none of ours; whether it is still good the account says. */
export function openRevertLink(token: string, seal: Seal): RevertLink | undefined {
  const text = seal.open('email-revert', token, bound);
  return text === undefined ? undefined : linkSchema.parse(JSON.parse(text));
}
