import { documentsOf } from '@covalence/runtime/documents';
import { collectionSchema, required } from '@covalence/runtime/schema';
import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import type { Connection } from 'mongoose';

/** One member's thread with another, ordered by the last message that the member sees. */
export interface Thread {
  readonly other: number;
  readonly last: string;
}

interface ThreadDocument extends Thread {
  _id: string;
  owner: number;
}

const threadSchema = collectionSchema<ThreadDocument>(
  'threads',
  required({ _id: String, owner: Number, other: Number, last: String }),
);
threadSchema.index({ owner: 1, last: 1 });

const keyOf = (owner: number, other: number) => `${owner}:${other}`;

/** By the owner too, who names the shard. */
const named = (owner: number, other: number) => ({ _id: keyOf(owner, other), owner });

/** Creates the store on the `threads` collection: one document per member and other. */
export function createThreadStore(connection: Connection) {
  const model = connection.model('Thread', threadSchema);
  const documents = documentsOf<ThreadDocument>(model);
  return {
    /** Sets the last message of the threads of some owners and others, unless they have a newer one. */
    async touch(threads: readonly (readonly [owner: number, other: number])[], last: string) {
      const writes = threads.map(([owner, other]) => ({
        updateOne: {
          filter: named(owner, other),
          update: { $setOnInsert: { other }, $max: { last } },
          upsert: true,
        },
      }));
      await retryOnDuplicateKey(() => model.bulkWrite(writes, { ordered: false }));
    },
    /** A member's threads, newest first; `before` is a message id. */
    list(owner: number, limit: number, before?: string): Promise<Thread[]> {
      const older = { owner, ...(before && { last: { $lt: before } }) };
      return documents.many(older, { sort: { last: -1 }, limit, shown: { other: 1, last: 1 } });
    },
    lastMessageOf: async (owner: number, other: number): Promise<string | undefined> =>
      (await documents.one(named(owner, other)))?.last,
    /** Replaces the last message `was`, or deletes the thread without `last`; does nothing after a newer message. */
    async replaceLast(owner: number, other: number, was: string, last: string | undefined) {
      const asItWas = { ...named(owner, other), last: was };
      if (last === undefined) await documents.remove(asItWas);
      else await documents.update(asItWas, { $set: { last } });
    },
    async eraseBetween(member: number, others: readonly number[]) {
      const keys = others.flatMap((other) => [keyOf(member, other), keyOf(other, member)]);
      await documents.removeAll({ _id: { $in: keys } });
    },
  };
}
