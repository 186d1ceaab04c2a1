import type { Connection, mongo } from 'mongoose';

/** A collection as the driver has it: migrations do not depend on current models. */
type Documents<Document extends mongo.Document> = mongo.Collection<Document>;

/** Tools of a migration. */
interface MigrationWork {
  readonly collection: <Document extends mongo.Document>(name: string) => Documents<Document>;
  /** Aborts when another process takes over the lock; check it between steps. */
  readonly signal: AbortSignal;
  /** Reports progress. */
  readonly print: (line: string) => void;
}

/**
 * One change of stored data. It must be safe to interrupt and repeat, and to run beside processes of the
 * previous and this version.
 */
export interface Migration {
  /** Number and words. It identifies the migration forever and must not be changed or reused. */
  readonly name: string;
  /** One line for `status`. */
  readonly what: string;
  /**
   * `before`: before the first process of the new version starts. `after`: after the last process of the
   * previous version has stopped, e.g. to drop an index that it used.
   */
  readonly runs: 'before' | 'after';
  readonly up: (work: MigrationWork) => Promise<void>;
}

/** The database of an open connection. */
export function databaseOf({ db }: Connection) {
  if (!db) throw new Error('the database is not connected');
  return {
    collection: <Document extends mongo.Document>(name: string): Documents<Document> => db.collection(name),
    names: async () => (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  };
}
