import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** One member's thread with another, ordered by the last message that the member sees. */
export interface Thread {
  readonly other: number;
  /** Message id. */
  readonly last: string;
}

/** The order of each member's threads. Their content is read from the messages. */
export interface ThreadStore {
  /** Sets the last message of a thread, unless it has a newer one. */
  touch(owner: number, other: number, last: string): Promise<void>;
  /** A member's threads, newest first; `before` is a message id. */
  list(owner: number, limit: number, before?: string): Promise<Thread[]>;
  /** The id of the last message of a thread. */
  lastMessageOf(owner: number, other: number): Promise<string | undefined>;
  /**
   * Replaces the last message `was` of a thread, or deletes the thread without `last`. Does nothing where a newer
   * message came meanwhile.
   */
  replaceLast(owner: number, other: number, was: string, last: string | undefined): Promise<void>;
  /** Deletes the threads of a member with others, on both sides. */
  eraseBetween(member: number, others: readonly number[]): Promise<void>;
}

interface ThreadDocument extends Thread {
  _id: string;
  owner: number;
}

const threadSchema = new Schema<ThreadDocument>(
  {
    _id: { type: String, required: true },
    owner: { type: Number, required: true },
    other: { type: Number, required: true },
    last: { type: String, required: true },
  },
  { collection: 'threads', versionKey: false, strict: 'throw' },
);
threadSchema.index({ owner: 1, last: 1 });

const keyOf = (owner: number, other: number) => `${owner}:${other}`;

/** Creates the store on the `threads` collection: one document per member and other. */
export function createThreadStore(connection: Connection): ThreadStore {
  const model = connection.model<ThreadDocument>('Thread', threadSchema);
  return {
    async touch(owner, other, last) {
      await retryOnDuplicateKey(() =>
        model.updateOne(
          { _id: keyOf(owner, other) },
          { $setOnInsert: { owner, other }, $max: { last } },
          { upsert: true },
        ),
      );
    },
    list: (owner, limit, before) =>
      model
        .find({ owner, ...(before && { last: { $lt: before } }) }, { other: 1, last: 1 })
        .sort({ last: -1 })
        .limit(limit)
        .lean<Thread[]>(),
    lastMessageOf: async (owner, other) => (await model.findById(keyOf(owner, other)).lean<Thread>())?.last,
    async replaceLast(owner, other, was, last) {
      const asItWas = { _id: keyOf(owner, other), last: was };
      if (last === undefined) await model.deleteOne(asItWas);
      else await model.updateOne(asItWas, { $set: { last } });
    },
    async eraseBetween(member, others) {
      const keys = others.flatMap((other) => [keyOf(member, other), keyOf(other, member)]);
      await model.deleteMany({ _id: { $in: keys } });
    },
  };
}
