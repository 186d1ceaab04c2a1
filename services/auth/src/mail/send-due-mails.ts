import pLimit from 'p-limit';
import type { Account } from '../accounts/account.ts';
import type { MailContext } from './mail-context.ts';
import type { DueField } from './mail-queue-store.ts';
import { sendQueuedMails } from './queued-mail.ts';
import { sendConfirmation } from './send-confirmation.ts';

/** Mails younger than this are left to the request that caused them. */
const inProgressMs = 60_000;

/** Members served at a time, which is the number of connections to the SMTP server. */
const concurrency = 5;

const senders: Record<DueField, (account: Account, context: MailContext) => Promise<void>> = {
  mail_due_at: sendConfirmation,
  mails_queued_at: sendQueuedMails,
};

/** Sends all mails of a kind that are still due. A failure does not stop the others. */
export async function sendDueMails(
  field: DueField,
  context: MailContext,
  mayGoOn: () => Promise<boolean>,
): Promise<void> {
  const { accounts, mail, logger, clock } = context;
  const before = new Date(clock().getTime() - inProgressMs);
  const limit = pLimit(concurrency);
  const send = async (memberId: string): Promise<void> => {
    try {
      if (!(await mayGoOn())) return;
      // Read again: the address may have changed, or another process may have sent the mail.
      const account = await accounts.find(memberId);
      const due = account?.[field];
      if (due && due < before) await senders[field](account, context);
    } catch (error) {
      logger.warn({ err: error }, 'sending a mail failed: will retry');
    }
  };
  for await (const memberIds of mail.queue.dueBefore(field, before)) {
    await Promise.all(memberIds.map((memberId) => limit(send, memberId)));
    if (!(await mayGoOn())) return;
  }
}
