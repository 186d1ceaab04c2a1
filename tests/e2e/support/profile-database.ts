import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { testStores } from '@covalence/testing/test-stores';
import { createConnection } from 'mongoose';

/** The profile service's database behind a stack on shared engines, for states that no call can bring about. */
export interface ProfileDatabase {
  /** Writes into a member past every service. */
  setMember(id: number, parts: object): Promise<void>;
  /** While `work` goes on, no other message with this text can be stored. */
  refuseTwice<Result>(text: string, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Connects to it. */
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
