import type { Event } from '@covalence/contract/events';
import { createLease } from '@covalence/events/lease';
import {
  createOutbox,
  outboxFields,
  outboxIndex,
  type Outbox,
  type WithOutbox,
} from '@covalence/events/outbox';
import { isDuplicateKey } from '@covalence/runtime/duplicate-key';
import { Schema } from 'mongoose';
import type { StoreOptions } from '../members/store/member-store.ts';
import { pairKey } from '../pairs/pair.ts';

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
}

interface MessageDocument extends Message, WithOutbox {
  /** Sender and client id, or the message's own id without a client id: the key that makes a message unique. */
  _id: string;
  pair: string;
  /** The receiver, until the message is read. */
  unread_by?: number;
  /** The members who deleted it for themselves. */
  hidden_by?: number[];
}

/** A message in a member's export. */
export interface ArchivedMessage extends Message {
  /** The member deleted it for themselves; it is kept for the other. */
  readonly hidden: boolean;
}

/** Reads and writes messages; nothing else does. */
export interface MessageStore {
  /** The message with this client id. */
  find(from: number, clientId: string): Promise<Message | undefined>;
  /** Stores a message with its event. Resolves with the stored message where the client id exists already. */
  insert(message: Message, event: Event): Promise<Message>;
  /** Marks a message whose pair and threads are updated. */
  settled(message: Message): Promise<void>;
  /** Messages from before a time whose pair and threads are not updated. */
  unsettled(before: Date, limit: number): Promise<Message[]>;
  /** The messages with another that a member sees, newest first; `before` is a message id. */
  list(member: number, other: number, limit: number, before?: string): Promise<Message[]>;
  /** The last messages between two members, newest first, deleted ones included. */
  between(one: number, other: number, limit: number): Promise<Message[]>;
  /** The number of unread messages of a member, from `other` or from everyone. */
  unread(member: number, other?: number): Promise<number>;
  /** Marks the messages of another as read, all or those up to a message id. */
  markRead(member: number, other: number, at: Date, upTo?: string): Promise<void>;
  /** Deletes all messages with another, or one, for this member alone. False where there is none. */
  hide(member: number, other: number, id?: string): Promise<boolean>;
  /** Every message between two members that `member` wrote or still sees, oldest first. */
  archive(member: number, other: number): Promise<ArchivedMessage[]>;
  /** Deletes the messages of a member with others, for both sides. */
  eraseBetween(member: number, others: readonly number[]): Promise<void>;
  /** Publishes the event of a message that was just stored. */
  publishSoon(message: Message, event: Event): void;
  readonly outbox: Outbox;
}

const required = <T>(type: T) => ({ type, required: true });

const messageSchema = new Schema<MessageDocument>(
  {
    _id: required(String),
    id: required(String),
    pair: required(String),
    from: required(Number),
    to: required(Number),
    text: required(String),
    at: required(Date),
    client_message_id: String,
    read_at: Date,
    unread_by: Number,
    hidden_by: { type: [Number], default: undefined },
    unsettled_at: Date,
    ...outboxFields,
  },
  { collection: 'messages', id: false, versionKey: false, strict: 'throw' },
);
messageSchema.index({ pair: 1, id: 1 });
messageSchema.index({ unread_by: 1, from: 1 }, { sparse: true });
messageSchema.index({ unsettled_at: 1 }, { sparse: true });
messageSchema.index(...outboxIndex);

const keyOf = ({ from, client_message_id, id }: Message) => `${from}:${client_message_id ?? id}`;

/** Creates the store on the `messages` collection, and its outbox. */
export function createMessageStore({ connection, publisher, logger, metrics }: StoreOptions): MessageStore {
  const model = connection.model<MessageDocument>('Message', messageSchema);
  const outbox = createOutbox({
    model: connection.model<WithOutbox>('Message'),
    publisher,
    lease: createLease(connection, 'messages-outbox'),
    logger,
    metrics,
  });
  const byKey = async (key: string) =>
    (await model.findById(key, { outbox: 0 }).lean<Message>()) ?? undefined;
  return {
    outbox,
    find: (from, clientId) => byKey(`${from}:${clientId}`),
    async insert(message, event) {
      const key = keyOf(message);
      try {
        await model.create({
          ...message,
          _id: key,
          pair: pairKey(message.from, message.to),
          unread_by: message.to,
          outbox: [event],
          outboxAt: new Date(),
        });
        return message;
      } catch (error) {
        const stored = isDuplicateKey(error) ? await byKey(key) : undefined;
        if (stored) return stored;
        throw error;
      }
    },
    async settled(message) {
      await model.updateOne({ _id: keyOf(message) }, { $unset: { unsettled_at: 1 } });
    },
    unsettled: (before, limit) =>
      model
        .find({ unsettled_at: { $lte: before } }, { outbox: 0 })
        .sort({ unsettled_at: 1 })
        .limit(limit)
        .lean<Message[]>(),
    list: (member, other, limit, before) =>
      model
        .find(
          {
            pair: pairKey(member, other),
            hidden_by: { $ne: member },
            ...(before && { id: { $lt: before } }),
          },
          { outbox: 0 },
        )
        .sort({ id: -1 })
        .limit(limit)
        .lean<Message[]>(),
    between: (one, other, limit) =>
      model
        .find({ pair: pairKey(one, other) }, { outbox: 0 })
        .sort({ id: -1 })
        .limit(limit)
        .lean<Message[]>(),
    unread: (member, other) =>
      model.countDocuments({
        unread_by: member,
        ...(other !== undefined && { from: other }),
        hidden_by: { $ne: member },
      }),
    async markRead(member, other, at, upTo) {
      const upToThere = upTo === undefined ? {} : { id: { $lte: upTo } };
      await model.updateMany(
        { unread_by: member, from: other, ...upToThere },
        { $set: { read_at: at }, $unset: { unread_by: 1 } },
      );
    },
    async hide(member, other, id) {
      const meant = { pair: pairKey(member, other), ...(id !== undefined && { id }) };
      const { matchedCount } = await model.updateMany(meant, { $addToSet: { hidden_by: member } });
      return matchedCount > 0;
    },
    async archive(member, other) {
      const found = await model
        .find({ pair: pairKey(member, other) }, { outbox: 0 })
        .sort({ id: 1 })
        .lean<MessageDocument[]>();
      return found
        .map(({ hidden_by = [], ...message }) => ({ ...message, hidden: hidden_by.includes(member) }))
        .filter(({ from, hidden }) => from === member || !hidden);
    },
    async eraseBetween(member, others) {
      await model.deleteMany({ pair: { $in: others.map((other) => pairKey(member, other)) } });
    },
    publishSoon: (message, event) => outbox.publishSoon(keyOf(message), [event]),
  };
}
