import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { testStores } from '@covalence/testing/test-stores';
import { createConnection } from 'mongoose';

/** Direct access to the database of the profile service, for states that no call produces. */
export type ProfileDatabase = Awaited<ReturnType<typeof openProfileDatabase>>;

/** Connects to the database. */
export async function openProfileDatabase({ namespace }: StackUnderTest) {
  const dbName = `${namespace}-profile`;
  const connection = await createConnection(testStores().MONGODB_URL, { dbName }).asPromise();
  const messages = connection.collection('messages');
  return {
    /** Updates a member document. */
    async setMember(id: number, parts: object): Promise<void> {
      await connection.collection<{ _id: number }>('members').updateOne({ _id: id }, { $set: parts });
    },
    /** Rejects writes of other messages with this text while `work` runs. */
    async refuseTwice<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
      const options = { unique: true, partialFilterExpression: { text } };
      const name = await messages.createIndex({ text: 1 }, options);
      try {
        return await work();
      } finally {
        await messages.dropIndex(name);
      }
    },
    close: () => connection.close(),
  };
}
