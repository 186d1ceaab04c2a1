import type { Account } from '../accounts/account.ts';
import { currentLocale } from '../accounts/member-presentation.ts';
import { resetAddress } from '../accounts/addresses.ts';
import { mailKey, type MailPurpose } from '../accounts/attempts-store.ts';
import type { MailContent } from './mail-content.ts';
import { sendNow, queuedMail } from './queued-mail.ts';
import type { MailContext } from './mail-context.ts';

/** A mail with a link into the account. */
interface LinkMail {
  readonly topic: MailContent['topic'];
  /** Lifetime of the link. */
  readonly minutes: number;
  /** The requested locale, when it is not the member's. */
  readonly requested: string | undefined;
  readonly purpose: MailPurpose;
  /** Values in the text, beside `minutes`. */
  readonly values?: ((locale: string | undefined) => Readonly<Record<string, string>>) | undefined;
  /** Creates the path of the link for a recipient and a locale. */
  readonly path: (to: string, locale: string | undefined) => Promise<string>;
}

/** Mails a link to the recipient of password mails, unless there is none or the limit is exceeded. */
export async function sendLink(
  account: Account,
  { topic, minutes, requested, purpose, values, path }: LinkMail,
  context: MailContext,
): Promise<void> {
  const { accounts, mail, profile, keys, issuer, clock } = context;
  const { _id, username } = account;
  const to = resetAddress(account, clock());
  if (!to || (await accounts.attempts.count('mailAccount', mailKey(purpose, _id)))) return;
  const locale = requested ?? (await currentLocale(account, profile));
  const link = `${issuer}${await path(to, locale)}`;
  const content = { topic, to, username, values: { minutes, ...values?.(locale) }, link, locale };
  const queued = queuedMail(content, new Date(clock().getTime() + minutes * 60_000), keys.seal);
  await mail.queue.add(_id, [queued], clock());
  await sendNow(_id, [queued], context);
}
