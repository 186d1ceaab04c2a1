import pLimit from 'p-limit';
import type { Account, DueMail } from '../accounts/account.ts';
import { sendConfirmation } from './send-confirmation.ts';
import { sendLetters } from './queued-mail.ts';
import type { MailContext } from './mail-context.ts';

/** Mails that are due are left to whoever made them due for this long. */
const underWayMs = 60_000;

/** Members written to at a time, of each kind of mail: as many as an SMTP server is spoken to by connections. */
const atOnce = 5;

const sendTo: Record<DueMail, (account: Account, context: MailContext) => Promise<void>> = {
  mail_due_at: sendConfirmation,
  letters_at: sendLetters,
};

/**
 * Sends the mails of a kind that are still due, e.g. because the mail server was away: all of them, while it may go on. One that fails
 * keeps none of the others back.
 */
export async function sendDueMails(
  kind: DueMail,
  context: MailContext,
  mayGoOn: () => Promise<boolean>,
): Promise<void> {
  const { accounts, logger, now } = context;
  const before = new Date(now().getTime() - underWayMs);
  const limit = pLimit(atOnce);
  const send = async (memberId: string): Promise<void> => {
    try {
      if (!(await mayGoOn())) return;
      // As it is by now: the address may be another one, the mail with somebody else.
      const account = await accounts.find(memberId);
      const due = account?.[kind];
      if (due && due < before) await sendTo[kind](account, context);
    } catch (error) {
      logger.warn({ err: error }, 'a mail will be tried again');
    }
  };
  for await (const memberIds of accounts.dueBefore(kind, before)) {
    await Promise.all(memberIds.map((memberId) => limit(send, memberId)));
    if (!(await mayGoOn())) return;
  }
}
