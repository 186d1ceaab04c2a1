import mongoose, { type Connection } from 'mongoose';
import type { Health } from './health.ts';
import type { Logger } from './logger.ts';

/** Options of a connection. */
export interface MongoOptions {
  /** e.g. mongodb://127.0.0.1:27017 */
  readonly url: string;
  readonly database: string;
  readonly logger: Logger;
  readonly health: Health;
  /** Time limit of an answer, ms; default 20,000. 0 means none, for commands that build indexes or read whole collections. */
  readonly answerLimitMs?: number | undefined;
}

const retryMs = 500;
const standardAnswerLimitMs = 20_000;

// Set globally: options of a connection apply only after it opens, and earlier calls would wait for 10 s.
mongoose.set('bufferCommands', false);
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);

/**
 * Options of every service's writes. An acknowledged write is on a majority, so no election loses it, and the
 * next read, from the primary, finds it. These options win over those of the address.
 */
export const majorityWrites = {
  w: 'majority',
  journal: true,
  retryWrites: true,
  readPreference: 'primary',
} as const;

const connectOptions = {
  ...majorityWrites,
  // Nothing is answered that a primary wrote in vain.
  readConcernLevel: 'majority' as const,
  // A majority that does not confirm would otherwise hold every connection of the pool, and every call behind it.
  wtimeoutMS: 8_000,
  waitQueueTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
  maxPoolSize: 20,
  // The validation is slow, and one invalid text would fail the whole read.
  enableUtf8Validation: false,
};

/** The last error of each connection that is still opening. */
const failures = new WeakMap<Connection, unknown>();

/** Throws while `covalence restore` has not finished with this database: a service would use half of it. */
async function assertRestored(connection: Connection): Promise<void> {
  if (!connection.db) throw new Error('MongoDB is not connected');
  const restores = connection.db.collection<{ _id: string }>('restores');
  if (await restores.findOne({ _id: 'restore', finished_at: { $exists: false } }))
    throw new Error('a restore of the database is not finished: repeat it');
}

/**
 * Connects to the database of a service. It returns at once and retries until the first connection is open,
 * which mongoose does not; later the driver reconnects. Calls during an outage fail within 3 s (503). Creates
 * the indexes of the models.
 */
export function connectMongo(options: MongoOptions): Connection {
  const { url, database, logger, health, answerLimitMs = standardAnswerLimitMs } = options;
  const connection = mongoose.createConnection();
  let ended = false;
  let opening = Promise.resolve();
  const open = async (): Promise<void> => {
    if (ended) return;
    try {
      await connection.openUri(url, { ...connectOptions, socketTimeoutMS: answerLimitMs, dbName: database });
      await assertRestored(connection).catch(async (error: unknown) => {
        await close();
        throw error;
      });
      await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
    } catch (error) {
      if (ended) return;
      failures.set(connection, error);
      logger.warn({ err: error }, 'mongodb is unavailable, retrying');
      setTimeout(begin, retryMs).unref();
    }
  };
  const begin = () => {
    opening = open();
  };
  // mongoose would wait forever to close a connection that is still opening.
  const close = connection.close.bind(connection);
  connection.close = async (force) => {
    ended = true;
    // Cancel a pending attempt.
    if (connection.readyState === mongoose.ConnectionStates.connecting) await connection.getClient().close();
    await opening;
    await close(force);
  };
  connection.on('error', (error: unknown) => {
    if (!ended) logger.warn({ err: error }, 'mongodb connection');
  });
  health.add('mongodb', async () => {
    if (connection.readyState !== mongoose.ConnectionStates.connected)
      throw new Error('MongoDB is not connected');
    await connection.db?.command({ ping: 1 });
  });
  // Callers declare their models right after this call returns.
  setImmediate(begin);
  return connection;
}

/** If the check fails, the connection is closing, and its last error says why. */
const isUsable = async (connection: Connection): Promise<boolean> =>
  connection.readyState === mongoose.ConnectionStates.connected &&
  assertRestored(connection).then(
    () => true,
    () => false,
  );

/** Resolves when the database is connected and indexed. Rejects after `limitMs` with the last error as cause. */
export async function mongoReady(connection: Connection, limitMs = 15_000): Promise<void> {
  const until = Date.now() + limitMs;
  for (;;) {
    if (await isUsable(connection)) break;
    if (Date.now() > until)
      throw new Error('mongodb did not answer in time', { cause: failures.get(connection) });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
}
