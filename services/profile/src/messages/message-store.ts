import { documentsOf } from '@covalence/runtime/documents';
import { collectionSchema, required, subdocument } from '@covalence/runtime/schema';
import type { Event } from '@covalence/contract/events';
import { outboxFields, outboxIndex, type WithOutbox } from '@covalence/events/outbox';
import { isDuplicateKey } from '@covalence/runtime/duplicate-key';
import { type StoreOptions, outboxOf } from '../members/store/outbox-of.ts';
import { pairKey } from '../pairs/pair.ts';
import type { Thread } from './thread-store.ts';

/** One message. Ids are UUIDv7 in text form, so that their order is that of sending. */
export interface Message {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly at: Date;
  /** The id from the sender's client, which makes a repeated call idempotent. */
  readonly client_message_id?: string;
  readonly read_at?: Date;
  /** When it was stored, until the pair and both threads are updated. */
  readonly unsettled_at?: Date;
  /** The sender waits for staff with a match of the ban list: hidden from the receiver until the sender is approved. */
  readonly held?: true;
  /** Until it is examined for signals of scams: when it was stored, and whether the receiver had not written before. */
  readonly examine?: { readonly since: Date; readonly opening: boolean };
}

interface MessageDocument extends Message, WithOutbox {
  /** Sender and client id, or the message's own id without a client id: the key that makes a message unique. */
  _id: string;
  pair: string;
  /** The receiver, until the message is read. */
  unread_by?: number;
  hidden_by?: number[];
}

/** A message in a member's export. */
export interface ArchivedMessage extends Message {
  /** The member deleted it for themselves; it is kept for the other. */
  readonly hidden: boolean;
}

const messageSchema = collectionSchema<MessageDocument>(
  'messages',
  {
    ...required({ _id: String, id: String, pair: String, from: Number, to: Number, text: String, at: Date }),
    client_message_id: String,
    read_at: Date,
    unread_by: Number,
    hidden_by: { type: [Number], default: undefined },
    unsettled_at: Date,
    held: Boolean,
    examine: subdocument(required({ since: Date, opening: Boolean })),
    ...outboxFields,
  },
  { id: false },
);
messageSchema.index({ pair: 1, id: 1 });
messageSchema.index({ unread_by: 1, from: 1 }, { sparse: true });
messageSchema.index({ unsettled_at: 1 }, { sparse: true });
messageSchema.index({ from: 1 }, { partialFilterExpression: { held: true } });
messageSchema.index({ 'examine.since': 1 }, { sparse: true });
messageSchema.index(...outboxIndex);

/** By the sender too, who names the shard. */
const named = (from: number, clientId: string) => ({ _id: `${from}:${clientId}`, from });

const nameOf = ({ from, client_message_id, id }: Message) => named(from, client_message_id ?? id);

/** The shards of messages with some keys. */
const shardsOf = (keys: readonly unknown[]) => ({
  from: { $in: keys.map((key) => Number.parseInt(String(key), 10)) },
});

/** Selects the messages between two members, which are on the shards of both. */
const ofPair = (one: number, other: number) => ({ pair: pairKey(one, other), from: { $in: [one, other] } });

/** Creates the store on the `messages` collection, and its outbox. */
export function createMessageStore(options: StoreOptions) {
  const model = options.connection.model<MessageDocument>('Message', messageSchema);
  const outbox = outboxOf(options, 'Message', 'messages-outbox', shardsOf);
  const documents = documentsOf<MessageDocument>(model, { outbox: 0 });
  const newest = (filter: object, limit: number): Promise<Message[]> =>
    documents.many({ ...filter }, { sort: { id: -1 }, limit });
  return {
    outbox,
    find: (from: number, clientId: string): Promise<Message | undefined> =>
      documents.one(named(from, clientId)),
    /** Stores a message with its event. Resolves with the stored message where the client id exists already. */
    async insert(message: Message, event: Event): Promise<Message> {
      const name = nameOf(message);
      try {
        await model.create({
          ...message,
          ...name,
          pair: pairKey(message.from, message.to),
          ...(message.held
            ? { hidden_by: [message.to] }
            : { unread_by: message.to, outbox: [event], outboxAt: new Date() }),
        });
        return message;
      } catch (error) {
        const stored = isDuplicateKey(error) ? await documents.one(name) : undefined;
        if (stored) return stored;
        throw error;
      }
    },
    heldSenders: (): Promise<number[]> => model.distinct('from', { held: true }),
    /** Held messages of some senders, the oldest first. */
    heldOf: (senders: readonly number[], limit: number): Promise<Message[]> =>
      documents.many({ held: true, from: { $in: [...senders] } }, { sort: { id: 1 }, limit }),
    /** Shows a held message to its receiver, with its event. */
    async release(message: Message, event: Event) {
      const { to } = message;
      const now = new Date();
      await documents.update(
        { ...nameOf(message), held: true },
        {
          $unset: { held: 1 },
          $pull: { hidden_by: to },
          $set: { unread_by: to, unsettled_at: now, outbox: [event], outboxAt: now },
        },
      );
    },
    /** Leaves a held message hidden from its receiver for good. */
    keepHidden: (message: Message) => documents.update(nameOf(message), { $unset: { held: 1 } }),
    settled: (message: Message) => documents.update(nameOf(message), { $unset: { unsettled_at: 1 } }),
    /** Messages from before a time whose pair and threads are not updated. */
    unsettled: (before: Date, limit: number): Promise<Message[]> =>
      documents.many({ unsettled_at: { $lte: before } }, { sort: { unsettled_at: 1 }, limit }),
    /** Messages that are due to be examined for signals of scams, the oldest first. */
    unexamined: (now: Date, limit: number): Promise<Message[]> =>
      documents.many({ 'examine.since': { $lte: now } }, { sort: { 'examine.since': 1 }, limit }),
    async examined(messages: readonly Message[]) {
      const keys = messages.map((message) => nameOf(message)._id);
      await documents.updateAll({ _id: { $in: keys }, ...shardsOf(keys) }, { $unset: { examine: 1 } });
    },
    /** Puts messages that cannot be examined behind the others. */
    async examineLater(messages: readonly Message[], time: Date) {
      const keys = messages.map((message) => nameOf(message)._id);
      const left = { _id: { $in: keys }, ...shardsOf(keys), examine: { $exists: true } };
      await documents.updateAll(left, { $set: { 'examine.since': time } });
    },
    /** The messages with another that a member sees, newest first; `before` is a message id. */
    list: (member: number, other: number, limit: number, before?: string): Promise<Message[]> =>
      newest(
        { ...ofPair(member, other), hidden_by: { $ne: member }, ...(before && { id: { $lt: before } }) },
        limit,
      ),
    /** The last messages of threads of a member by the other, as far as the member sees them. */
    async lastOf(member: number, threads: readonly Thread[]): Promise<Map<number, Message>> {
      if (!threads.length) return new Map();
      const any = threads.map(({ other, last }) => ({ ...ofPair(member, other), id: last }));
      const found = await documents.many({ $or: any, hidden_by: { $ne: member } });
      return new Map(found.map((message) => [message.from === member ? message.to : message.from, message]));
    },
    /** The last messages between two members, newest first, deleted ones included. */
    between: (one: number, other: number, limit: number): Promise<Message[]> =>
      newest(ofPair(one, other), limit),
    /** The texts that a member sent another before a message, oldest first; of more than the limit the last ones. */
    async textsBefore(from: number, to: number, id: string, limit: number): Promise<string[]> {
      const earlier = { pair: pairKey(from, to), from, id: { $lt: id } };
      const found = await documents.many(earlier, { sort: { id: -1 }, limit, shown: { text: 1 } });
      return found.map(({ text }) => text).toReversed();
    },
    /** The text of a message that a member received and has not deleted. */
    async receivedText(member: number, from: number, id: string): Promise<string | undefined> {
      const received = { pair: pairKey(member, from), id, from, hidden_by: { $ne: member } };
      return (await documents.one(received, { shown: { text: 1 } }))?.text;
    },
    /** The number of unread messages of a member, from `other` or from everyone. */
    unread: (member: number, other?: number): Promise<number> =>
      model.countDocuments({
        unread_by: member,
        ...(other !== undefined && { from: other }),
        hidden_by: { $ne: member },
      }),
    /** The numbers of unread messages of a member by sender, of those of some senders who have any. */
    async unreadFrom(member: number, senders: readonly number[]): Promise<Map<number, number>> {
      const counts = await model.aggregate<{ _id: number; count: number }>([
        { $match: { unread_by: member, from: { $in: senders }, hidden_by: { $ne: member } } },
        { $group: { _id: '$from', count: { $sum: 1 } } },
      ]);
      return new Map(counts.map(({ _id, count }) => [_id, count]));
    },
    /** The number of unread messages that a member received after a time and up to another. */
    unreadBetween: (member: number, after: Date, upTo: Date): Promise<number> =>
      model.countDocuments({
        unread_by: member,
        at: { $gt: after, $lte: upTo },
        hidden_by: { $ne: member },
      }),
    /** The numbers of unread messages of members who have any. */
    async unreadOf(members: readonly number[]): Promise<Map<number, number>> {
      const counts = await model.aggregate<{ _id: number; count: number }>([
        { $match: { unread_by: { $in: [...members] } } },
        { $match: { $expr: { $not: [{ $in: ['$unread_by', { $ifNull: ['$hidden_by', []] }] }] } } },
        { $group: { _id: '$unread_by', count: { $sum: 1 } } },
      ]);
      return new Map(counts.map(({ _id, count }) => [_id, count]));
    },
    /** Marks the messages of another as read, all or those up to a message id. */
    async markRead(member: number, other: number, at: Date, upTo?: string) {
      const unread = { unread_by: member, from: other, ...(upTo !== undefined && { id: { $lte: upTo } }) };
      await documents.updateAll(unread, { $set: { read_at: at }, $unset: { unread_by: 1 } });
    },
    /** Deletes all messages with another, or one, for this member alone. False where there is none. */
    async hide(member: number, other: number, id?: string): Promise<boolean> {
      const meant = { ...ofPair(member, other), ...(id !== undefined && { id }) };
      const { matchedCount } = await model.updateMany(meant, { $addToSet: { hidden_by: member } });
      return matchedCount > 0;
    },
    /** Every message between two members that `member` wrote or still sees, oldest first. */
    async archive(member: number, other: number): Promise<ArchivedMessage[]> {
      const found = await documents.many(ofPair(member, other), { sort: { id: 1 } });
      return found
        .map(({ hidden_by = [], ...message }) => ({ ...message, hidden: hidden_by.includes(member) }))
        .filter(({ from, hidden }) => from === member || !hidden);
    },
    eraseBetween: (member: number, others: readonly number[]) =>
      documents.removeAll({ pair: { $in: others.map((other) => pairKey(member, other)) } }),
    /** Publishes the event of a message. One that is recorded in its pair and threads is settled by the same write. */
    publishSoon: (message: Message, event: Event, isRecorded = false): void =>
      outbox.publishSoon(nameOf(message)._id, [event], isRecorded ? ['unsettled_at'] : []),
  };
}
