import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { testStores } from '@covalence/testing/test-stores';
import { createConnection } from 'mongoose';

/** Direct access to the database of the profile service, for states that no call produces. */
export interface ProfileDatabase {
  /** Updates a member document. */
  setMember(id: number, parts: object): Promise<void>;
  /** Rejects writes of other messages with this text while `work` runs. */
  refuseTwice<Result>(text: string, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Connects to the database. */
export async function openProfileDatabase({ namespace }: StackUnderTest): Promise<ProfileDatabase> {
  const dbName = `${namespace}-profile`;
  const connection = await createConnection(testStores().MONGODB_URL, { dbName }).asPromise();
  const messages = connection.collection('messages');
  return {
    async setMember(id, parts) {
      await connection.collection<{ _id: number }>('members').updateOne({ _id: id }, { $set: parts });
    },
    async refuseTwice(text, work) {
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
