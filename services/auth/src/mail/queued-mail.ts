import { v7 } from 'uuid';
import { z } from 'zod';
import type { Account, Letter } from '../accounts/account.ts';
import { noticeAddresses } from '../accounts/emails/addresses.ts';
import type { Seal } from '../keys/seal.ts';
import { currentLocale } from '../accounts/current-locale.ts';
import { compose, topics } from './compose.ts';
import { isPermanent } from './mail-adapter.ts';
import { mailSetting, type MailContext } from './mail-context.ts';

const contentSchema = z.object({
  topic: z.enum(topics),
  to: z.string(),
  username: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  link: z.string().optional(),
  /** The language that was asked for, if it is not the member's own. */
  locale: z.string().optional(),
});

/** What a letter says. */
export type LetterContent = z.output<typeof contentSchema>;

/** How long it is tried to tell a member that something has changed. */
export const noticeMs = 24 * 60 * 60 * 1000;

/**
 * A letter to keep with the account until it is sent, and not beyond `until`. It is sealed: its link may be as good as a
 * password.
 */
export function writeLetter(content: LetterContent, until: Date, seal: Seal): Letter {
  const id = v7();
  return { id, until, sealed: seal.seal('letters', JSON.stringify(content), id) };
}

/** Letters that tell a member of something that has happened, to every address that hears of changes. */
export function writeNotices(
  account: Account,
  content: Omit<LetterContent, 'to' | 'username'>,
  { seal, now }: Pick<MailContext, 'seal' | 'now'>,
): Letter[] {
  const until = new Date(now().getTime() + noticeMs);
  const { username } = account;
  const readers = noticeAddresses(account, now()).filter(Boolean);
  return readers.map((to) => writeLetter({ ...content, to, username }, until, seal));
}

/** Sends one letter; true when nothing is left to do about it. */
async function deliver(account: Account, letter: Letter, context: MailContext): Promise<boolean> {
  const { seal, sites, profile, mail, logger, now } = context;
  const text = seal.open('letters', letter.sealed, letter.id);
  if (text === undefined || letter.until <= now()) {
    logger.warn({ member: account.id }, 'a mail was given up');
    return true;
  }
  try {
    const { locale, ...content } = contentSchema.parse(JSON.parse(text));
    const wanted = locale ?? (await currentLocale(account, profile));
    await mail.send(compose(mailSetting(account, sites, wanted), content));
    logger.info({ member: account.id, topic: content.topic }, 'sent a mail');
    return true;
  } catch (error) {
    const isFinal = isPermanent(error);
    logger.warn(
      { member: account.id, err: error },
      isFinal ? 'a mail was refused' : 'a mail will be tried again',
    );
    return isFinal;
  }
}

/** Sends letters of an account, by default all there are. */
export async function sendLetters(
  account: Account,
  context: MailContext,
  letters = account.letters ?? [],
): Promise<void> {
  for (const letter of letters) {
    if (await deliver(account, letter, context)) await context.accounts.letterDone(account._id, letter.id);
  }
}

/**
 * Sends letters right after they were written, and no others: those are with whoever wrote them. A crash in between leaves them to
 * the housekeeping.
 */
export async function sendWritten(
  memberId: string,
  letters: readonly Letter[],
  context: MailContext,
): Promise<void> {
  const account = await context.accounts.find(memberId);
  const ids = letters.map(({ id }) => id);
  const written = account?.letters?.filter(({ id }) => ids.includes(id)) ?? [];
  if (account) await sendLetters(account, context, written);
}
