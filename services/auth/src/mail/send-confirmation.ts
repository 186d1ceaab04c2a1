import type { Account } from '../accounts/account.ts';
import { changeDays, pendingOf } from '../accounts/emails/addresses.ts';
import { currentLocale } from '../accounts/current-locale.ts';
import { compose } from './compose.ts';
import { isPermanent } from './mail-adapter.ts';
import { mailSetting, type MailContext } from './mail-context.ts';
import { sealConfirmation } from './confirmation-link.ts';

/** After a day of failures a mail is given up. */
const givenUpMs = 24 * 60 * 60 * 1000;

/** The address that is still to be confirmed: the one that waits, else the one in force. */
const unconfirmed = (account: Account, now: Date): string | undefined =>
  pendingOf(account, now)?.email ?? (account.email_confirmed_at ? undefined : account.email);

/**
 * Sends the mail that asks a member to confirm their address, if it is due, and marks it sent. A crash in between sends
 * it twice; a mailbox that does not exist is given up at once.
 */
export async function sendConfirmation(account: Account, context: MailContext): Promise<void> {
  const { accounts, profile, mail, sites, issuer, now, logger } = context;
  const { _id, username, mail_due_at: due } = account;
  if (!due) return;
  const email = unconfirmed(account, now());
  if (!email) return accounts.mailSent(_id, due);
  try {
    const locale = await currentLocale(account, profile);
    await mail.send(
      compose(mailSetting(account, sites, locale), {
        topic: 'mailConfirm',
        to: email,
        username,
        values: { days: changeDays },
        link: `${issuer}/email/${sealConfirmation(_id, email, locale, context)}`,
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
