import { answerDays, appealDays } from '@covalence/contract/peers/appeals-api';
import { z } from 'zod';
import type { Account, Addresses, QueuedMail } from '../accounts/account.ts';
import { changeDays, isSameEmail, protectedOf } from '../accounts/addresses.ts';
import { sealedLink } from './links.ts';
import type { MailContext } from './mail-context.ts';
import type { MailContent } from './mail-content.ts';
import { queuedMail } from './queued-mail.ts';

/** Links that confirm an address. They are worthless once it is neither current nor pending. */
export const confirmationLink = sealedLink({
  purpose: 'email-confirmation',
  route: '/email/:token',
  days: changeDays,
  schema: z.object({
    member_id: z.string(),
    email: z.string(),
    /** Locale of the mail. */
    locale: z.string().optional(),
  }),
});

/** Links to the page that appeals one decision on a member, who may be unable to sign in. The decision takes one appeal only. */
export const appealLink = sealedLink({
  purpose: 'appeal',
  route: '/appeal/:token',
  // The answer can be read after the last day of the appeal.
  days: appealDays + answerDays,
  schema: z.object({
    member_id: z.string(),
    decision_id: z.string(),
    /** Locale of the mail. */
    locale: z.string(),
  }),
});

/** Links that restore a protected address. The account knows whether they have expired. */
export const revertLink = sealedLink({
  purpose: 'email-revert',
  route: '/email/:token/revert',
  schema: z.object({
    member_id: z.string(),
    /** Id of the protected address. */
    id: z.string(),
  }),
});

/** The mail that reports a change to the former address, with a revert link if that one is protected. */
export function revertMails(
  { _id: member_id, email, username }: Account,
  after: Addresses,
  topic: MailContent['topic'],
  context: Pick<MailContext, 'keys' | 'issuer' | 'clock'>,
): QueuedMail[] {
  const found = protectedOf(after, context.clock()).find((one) => isSameEmail(one.email, email));
  if (!found) return [];
  const link = context.issuer + revertLink.path({ member_id, id: found.id }, context);
  const content = { topic, to: email, username, values: { days: changeDays }, link };
  return [queuedMail(content, found.until, context.keys.seal)];
}
