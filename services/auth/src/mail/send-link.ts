import type { Account } from '../accounts/account.ts';
import { currentLocale } from '../accounts/current-locale.ts';
import { resetAddress } from '../accounts/emails/addresses.ts';
import type { AttemptsStore } from '../accounts/attempts-store.ts';
import { sendWritten, writeLetter, type LetterContent } from './queued-mail.ts';
import type { MailContext } from './mail-context.ts';

/** A mail whose link helps a member into the account. */
interface LinkMail {
  readonly topic: LetterContent['topic'];
  /** How long the link works. */
  readonly minutes: number;
  /** The language that was asked for, if it is not the member's own. */
  readonly asked: string | undefined;
  /** What the mails of this kind are counted under for one account. */
  readonly counter: string;
  /** Makes the link's path for a mail to an address in a language. */
  readonly path: (to: string, locale: string | undefined) => Promise<string>;
}

/** Sends a link to the address that helps a member into the account, unless there is none or it got too many of this kind. */
export async function mailLink(
  account: Account,
  { topic, minutes, asked, counter, path }: LinkMail,
  context: MailContext & { readonly attempts: AttemptsStore },
): Promise<void> {
  const { attempts, accounts, profile, seal, issuer, now } = context;
  const { _id, username } = account;
  const to = resetAddress(account, now());
  if (!to || (await attempts.count('mailAccount', counter))) return;
  const locale = asked ?? (await currentLocale(account, profile));
  const link = `${issuer}${await path(to, locale)}`;
  const content = { topic, to, username, values: { minutes }, link, locale };
  const letter = writeLetter(content, new Date(now().getTime() + minutes * 60_000), seal);
  await accounts.keepLetters(_id, [letter], now());
  await sendWritten(_id, [letter], context);
}
