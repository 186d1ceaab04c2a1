import { dayMs } from '@covalence/contract/time';
import type { Account } from '../accounts/account.ts';
import { changeDays, pendingOf } from '../accounts/addresses.ts';
import { memberPresentation } from '../accounts/member-presentation.ts';
import { compose } from './compose.ts';
import { isPermanent } from './mail-adapter.ts';
import type { MailContext } from './mail-context.ts';
import { confirmationLink } from './member-links.ts';

/** Time until a confirmation mail expires. */
const expiryMs = dayMs;

/** The unconfirmed address: the pending one, else the current one. */
const unconfirmed = (account: Account, now: Date): string | undefined =>
  pendingOf(account, now)?.email ?? (account.email_confirmed_at ? undefined : account.email);

/** Sends the confirmation mail of a member, if it is due, and marks it as sent. A crash in between sends it twice. */
export async function sendConfirmation(account: Account, context: MailContext): Promise<void> {
  const { mail, issuer, clock, logger } = context;
  const { _id, username, mail_due_at: due } = account;
  if (!due) return;
  const email = unconfirmed(account, clock());
  if (!email) return mail.queue.confirmationSent(_id, due);
  try {
    const presentation = await memberPresentation(account, context);
    const { locale } = presentation;
    await mail.send(
      compose(presentation, {
        topic: pendingOf(account, clock()) ? 'mailConfirmNew' : 'mailConfirm',
        to: email,
        username,
        values: { days: changeDays },
        link: issuer + confirmationLink.path({ member_id: _id, email, locale }, context),
      }),
    );
  } catch (error) {
    const isFinal = isPermanent(error) || clock().getTime() - due.getTime() > expiryMs;
    logger.warn(
      { member: account.id, err: error },
      isFinal
        ? 'the confirmation mail of a member cannot be delivered: removed'
        : 'sending a confirmation mail failed: will retry',
    );
    if (!isFinal) return;
  }
  await mail.queue.confirmationSent(_id, due);
}

/** The same for a member id. */
export async function sendConfirmationTo(memberId: string, context: MailContext): Promise<void> {
  const account = await context.accounts.find(memberId);
  if (account) await sendConfirmation(account, context);
}
