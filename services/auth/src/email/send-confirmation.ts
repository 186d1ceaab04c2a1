import type { Account } from '../accounts/account-store.ts';
import { currentLocale } from '../accounts/current-locale.ts';
import { compose } from '../mail/compose.ts';
import { isPermanent } from '../mail/mail-adapter.ts';
import { mailSetting, type MailContext } from '../mail/mail-context.ts';
import { confirmationDays, sealConfirmation } from './confirmation.ts';

/** After a day of failures a mail is given up. */
const givenUpMs = 24 * 60 * 60 * 1000;

/**
 * Sends the mail that asks a member to confirm their address, if it is due, and marks it sent. A crash in between sends
 * it twice; a mailbox that does not exist is given up at once.
 */
export async function sendConfirmation(account: Account, context: MailContext): Promise<void> {
  const { accounts, profile, mail, seal, sites, issuer, now, logger } = context;
  const { _id, email, username, mail_due_at: due } = account;
  if (!due) return;
  try {
    const locale = await currentLocale(account, profile);
    await mail.send(
      compose(mailSetting(account, sites, locale), {
        topic: 'mailConfirm',
        to: email,
        username,
        values: { days: confirmationDays },
        link: `${issuer}/email/${sealConfirmation(account, locale, seal, now())}`,
      }),
    );
  } catch (error) {
    const isFinal = isPermanent(error) || now().getTime() - due.getTime() > givenUpMs;
    logger.warn(
      { member: account.id, err: error },
      isFinal
        ? 'the e-mail address of a member cannot be reached'
        : 'a confirmation mail will be tried again',
    );
    if (!isFinal) return;
  }
  await accounts.mailSent(_id, due);
}

/** Sends the confirmation mail of a member, if it is due. */
export async function sendConfirmationTo(memberId: string, context: MailContext): Promise<void> {
  const account = await context.accounts.find(memberId);
  if (account) await sendConfirmation(account, context);
}
