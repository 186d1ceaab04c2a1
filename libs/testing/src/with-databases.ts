import { createConnection, type Connection } from 'mongoose';
import { testStores } from './test-stores.ts';

/** Connects to a database server directly, bypassing the services. */
export async function withDatabases<Result>(
  work: (connection: Connection) => Promise<Result>,
  url = testStores().MONGODB_URL,
): Promise<Result> {
  const connection = await createConnection(url).asPromise();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
