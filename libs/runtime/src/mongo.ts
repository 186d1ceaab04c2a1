import mongoose, { type Connection } from 'mongoose';
import type { Health } from './health.ts';
import type { Logger } from './logger.ts';

/** Where a service's database is. */
export interface MongoOptions {
  /** e.g. mongodb://127.0.0.1:27017 */
  readonly url: string;
  readonly database: string;
  readonly logger: Logger;
  readonly health: Health;
  /**
   * How long an answer may take; default 20,000. 0 is as long as it takes, for a tool: an index of many documents, or a query
   * that goes through all of them, takes minutes.
   */
  readonly answerLimitMs?: number | undefined;
}

const retryMs = 500;
const standardAnswerLimitMs = 20_000;

// Here and not among the options, which hold once the connection is being opened: a call made before would wait for 10 s, and a
// model would begin with making its collection.
mongoose.set('bufferCommands', false);
mongoose.set('autoIndex', false);
mongoose.set('autoCreate', false);

const connectOptions = {
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
  maxPoolSize: 20,
  // It looks at each character of what is read, for bytes that no driver writes, and one such text would be an error of all that is read with it.
  enableUtf8Validation: false,
};

/** Why the last try to open a connection came to nothing. */
const failures = new WeakMap<Connection, unknown>();

/**
 * A connection to the service's own database. It returns at once and keeps trying until the first connection
 * stands (mongoose itself gives up after one try); later the driver reconnects by itself. Calls made while the
 * database is away fail within 3 s, which answers 503. Indexes of the models are created on every connection.
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
      await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
    } catch (error) {
      if (ended) return;
      failures.set(connection, error);
      logger.warn({ err: error }, 'mongodb is away, trying again');
      setTimeout(begin, retryMs).unref();
    }
  };
  const begin = () => {
    opening = open();
  };
  // mongoose waits for ever to close a connection that is just being tried, and says nothing of one that never stood.
  const close = connection.close.bind(connection);
  connection.close = async (force) => {
    ended = true;
    // A try under way is given up instead of waited for.
    if (connection.readyState === mongoose.ConnectionStates.connecting) await connection.getClient().close();
    await opening;
    await close(force);
  };
  connection.on('error', (error: unknown) => {
    // That a try was given up at the end is no news.
    if (!ended) logger.warn({ err: error }, 'mongodb connection');
  });
  health.add('mongodb', async () => {
    if (connection.readyState !== mongoose.ConnectionStates.connected) throw new Error('not connected');
    await connection.db?.command({ ping: 1 });
  });
  // Models are declared right after this call returns; their indexes need them to be there.
  setImmediate(begin);
  return connection;
}

/** Resolves when the connection stands and its indexes are there; rejects after `limitMs`, with what the last try met as the cause. */
export async function mongoReady(connection: Connection, limitMs = 15_000): Promise<void> {
  const until = Date.now() + limitMs;
  for (;;) {
    if (connection.readyState === mongoose.ConnectionStates.connected) break;
    if (Date.now() > until)
      throw new Error('mongodb did not answer in time', { cause: failures.get(connection) });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
}
