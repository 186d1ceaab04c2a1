import type { Account } from '../accounts/account-store.ts';
import { compose } from '../mail/compose.ts';
import { isPermanent } from '../mail/mail-adapter.ts';
import { mailSetting, type MailContext } from '../mail/mail-context.ts';
import { confirmationDays, sealConfirmation } from './confirmation.ts';

/** A mail that is due is left to whoever made it due for this long. */
const underWayMs = 60_000;
/** After a day of failures a mail is given up. */
const givenUpMs = 24 * 60 * 60 * 1000;

/**
 * Sends the mail that asks a member to confirm their address, if it is due, and marks it sent. A crash in between sends
 * it twice; a mailbox that does not exist is given up at once.
 */
export async function sendConfirmation(account: Account, context: MailContext): Promise<void> {
  const { accounts, mail, seal, sites, issuer, now, logger } = context;
  const { _id, email, username, mail_due_at: due } = account;
  if (!due) return;
  try {
    await mail.send(
      compose(mailSetting(account, sites), {
        topic: 'mailConfirm',
        to: email,
        username,
        values: { days: confirmationDays },
        link: `${issuer}/email/${sealConfirmation(account, seal, now())}`,
      }),
    );
  } catch (error) {
    const isLate = now().getTime() - due.getTime() > givenUpMs;
    if (!isPermanent(error) && !isLate) throw error;
    logger.warn({ member: account.id }, 'the e-mail address of a member cannot be reached');
  }
  await accounts.mailSent(_id, due);
}

/** Sends, right after the change that made it due, the confirmation mail of a member. */
export async function sendConfirmationTo(memberId: string, context: MailContext): Promise<void> {
  const account = await context.accounts.find(memberId);
  if (account) await sendConfirmation(account, context);
}

/** Sends the mails that are still due, e.g. because the mail server was away; one that fails keeps none of the others back. */
export async function sendDueConfirmations(context: MailContext): Promise<void> {
  const { accounts, now, logger } = context;
  for (const account of await accounts.mailDueBefore(new Date(now().getTime() - underWayMs))) {
    await sendConfirmation(account, context).catch((error: unknown) =>
      logger.warn({ member: account.id, err: error }, 'a confirmation mail will be tried again'),
    );
  }
}
