import type { Connection } from 'mongoose';
import type { Account, QueuedMail } from '../accounts/account.ts';
import { accountCollection, withMails } from '../accounts/account-store.ts';

/** Field that says since when an account has mails to send: its confirmation mail, or its queued mails. */
export type DueField = 'mail_due_at' | 'mails_queued_at';

const pageSize = 100;

/** Creates the store on the collection of accounts. */
export function createMailQueueStore(connection: Connection) {
  const { model, documents } = accountCollection(connection);
  return {
    /** Ids of accounts with mails due before `date`, oldest first, in pages of 100. Each account comes once. */
    async *dueBefore(field: DueField, date: Date): AsyncGenerator<string[]> {
      let from = new Date(0);
      let seen: string[] = [];
      for (;;) {
        const page: Pick<Account, '_id' | DueField>[] = await documents
          .find({ [field]: { $gte: from, $lt: date }, _id: { $nin: seen } }, { projection: { [field]: 1 } })
          .sort({ [field]: 1 })
          .limit(pageSize)
          .toArray();
        yield page.map(({ _id }) => _id);
        const last = page.at(-1)?.[field];
        if (page.length < pageSize || !last) return;
        // More accounts may be due at the same moment as the last one of this page.
        const atLast = page.flatMap(({ _id, [field]: at }) => (at?.getTime() === last.getTime() ? _id : []));
        seen = last.getTime() === from.getTime() ? [...seen, ...atLast] : atLast;
        from = last;
      }
    },
    /** Marks the confirmation mail that was due at `due` as sent. */
    async confirmationSent(memberId: string, due: Date) {
      await model.updateOne({ _id: memberId, mail_due_at: due }, { $unset: { mail_due_at: 1 } });
    },
    async add(memberId: string, mails: readonly QueuedMail[], at: Date) {
      await model.updateOne({ _id: memberId }, withMails({}, { mails, at }));
    },
    /** Adds the digest that was due at a time; false when it was added before. */
    async addDigest(memberId: string, digest: QueuedMail, due: Date, at: Date): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: memberId, digest_due: { $ne: due } },
        withMails({ $set: { digest_due: due } }, { mails: [digest], at }),
      );
      return matchedCount > 0;
    },
    /** Removes a mail that was sent or expired, or is about to be sent; false when another process was first. */
    async remove(memberId: string, mailId: string): Promise<boolean> {
      const { matchedCount } = await model.updateOne(
        { _id: memberId, 'queued_mails.id': mailId },
        { $pull: { queued_mails: { id: mailId } } },
      );
      // Only when none is left: a mail added meanwhile keeps its mark.
      await model.updateOne(
        { _id: memberId, queued_mails: { $size: 0 } },
        { $unset: { queued_mails: 1, mails_queued_at: 1 } },
      );
      return matchedCount > 0;
    },
  };
}

/** Mails that are stored with the account of their recipient until they are sent. */
export type MailQueueStore = ReturnType<typeof createMailQueueStore>;
