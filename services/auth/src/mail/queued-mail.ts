import { dayMs } from '@covalence/contract/time';
import { v7 } from 'uuid';
import type { Account, QueuedMail } from '../accounts/account.ts';
import { noticeAddresses } from '../accounts/addresses.ts';
import type { Seal } from '../keys/seal.ts';
import { memberPresentation } from '../accounts/member-presentation.ts';
import { accountPaths } from '../tokens/provider/hosted-pages-client.ts';
import { compose, onceTopics, signInTopics } from './compose.ts';
import { isPermanent } from './mail-adapter.ts';
import { mailContent, type MailContent } from './mail-content.ts';
import type { MailContext } from './mail-context.ts';

/** Content of a notice, whose recipients the account names. */
export interface NoticeContent extends Omit<MailContent, 'to' | 'username'> {
  /** It tells of another member: a former address, which another person may read, gets none. */
  readonly isPrivate?: boolean;
}

/** Time until a notice expires. */
const noticeMs = dayMs;

/** Creates a queued mail. Its content is encrypted, because a link may be as powerful as a password. */
export function queuedMail(content: MailContent, until: Date, seal: Seal): QueuedMail {
  const id = v7();
  return { id, until, sealed: seal.seal('queued-mails', JSON.stringify(content), id) };
}

/** Creates notices to every address of the member that receives security notices, or to the current one. */
export function noticesOf(
  account: Account,
  { isPrivate = false, ...content }: NoticeContent,
  { issuer, keys, clock }: Pick<MailContext, 'issuer' | 'keys' | 'clock'>,
): QueuedMail[] {
  const until = new Date(clock().getTime() + noticeMs);
  const { siteid, username } = account;
  const link = signInTopics.includes(content.topic)
    ? `${issuer}${accountPaths.start}?siteid=${siteid}`
    : content.link;
  const recipients = (isPrivate ? [account.email] : noticeAddresses(account, clock())).filter(Boolean);
  return recipients.map((to) => queuedMail({ ...content, link, to, username }, until, keys.seal));
}

/** Sends one mail; true when it can be removed. Some are better lost than sent twice. */
async function deliver(account: Account, queued: QueuedMail, context: MailContext): Promise<boolean> {
  const { keys, mail, logger, clock } = context;
  const text = keys.seal.open('queued-mails', queued.sealed, queued.id);
  if (text === undefined || queued.until <= clock()) {
    logger.warn({ member: account.id }, 'a mail expired or cannot be decrypted: removed');
    return true;
  }
  let isOnce = false;
  try {
    const { locale, ...content } = mailContent.parse(JSON.parse(text));
    isOnce = onceTopics.includes(content.topic);
    const presentation = await memberPresentation(account, context, locale);
    // A process that dies while it sends loses the mail, and one that comes later finds nothing to send.
    if (isOnce && !(await mail.queue.remove(account._id, queued.id))) return true;
    await mail.send(compose(presentation, content));
    logger.info({ member: account.id, topic: content.topic }, 'sent a mail');
    return true;
  } catch (error) {
    const isFinal = isPermanent(error);
    logger.warn(
      { member: account.id, err: error },
      isFinal ? 'the mail server rejected a mail: removed' : 'sending a mail failed: will retry',
    );
    if (isOnce && !isFinal) await mail.queue.add(account._id, [queued], clock());
    return isFinal;
  }
}

/** Sends mails of an account, by default all. */
export async function sendQueuedMails(
  account: Account,
  context: MailContext,
  mails = account.queued_mails ?? [],
): Promise<void> {
  for (const queued of mails) {
    if (await deliver(account, queued, context)) await context.mail.queue.remove(account._id, queued.id);
  }
}

/** Sends new mails, and no others, because their requests send those. After a crash the periodic job sends them. */
export async function sendNow(
  memberId: string,
  mails: readonly QueuedMail[],
  context: MailContext,
): Promise<void> {
  const account = await context.accounts.find(memberId);
  const ids = mails.map(({ id }) => id);
  const queued = account?.queued_mails?.filter(({ id }) => ids.includes(id)) ?? [];
  if (account) await sendQueuedMails(account, context, queued);
}

/** Notifies a member by mail: stores the notices, and sends them in the background. */
export async function notify(account: Account, content: NoticeContent, context: MailContext): Promise<void> {
  const mails = noticesOf(account, content, context);
  if (!mails.length) return;
  await context.mail.queue.add(account._id, mails, context.clock());
  context.afterResponse.run(sendNow(account._id, mails, context));
}
