import type { Connection, mongo } from 'mongoose';

/** A collection of the service's database, as the driver has it: a migration does not depend on today's models. */
export type Documents<Document extends mongo.Document> = mongo.Collection<Document>;

/** What a migration works with. */
export interface MigrationWork {
  readonly collection: <Document extends mongo.Document>(name: string) => Documents<Document>;
  /** Aborted when another process took the lock over; what repeats asks it between its steps. */
  readonly signal: AbortSignal;
  /** Tells how far it is. */
  readonly print: (line: string) => void;
}

/**
 * One change of what a service has stored. It may be cut off anywhere and run again, and processes of the version before
 * and of this one read and write meanwhile: it adds what the new version needs and removes what only the old one knows.
 */
export interface Migration {
  /** Number and words; it is recorded by this name, which is never changed and never used again. */
  readonly name: string;
  /** One line for `status`. */
  readonly what: string;
  /**
   * `before`: ahead of the first process of the new version. `after`: once the last process of the version before has
   * ended, e.g. to go over what that one wrote meanwhile, or to remove an index that it read.
   */
  readonly runs: 'before' | 'after';
  readonly up: (work: MigrationWork) => Promise<void>;
}

/** The database of a connection; throws while that does not stand. */
export function databaseOf({ db }: Connection) {
  if (!db) throw new Error('the database connection does not stand');
  return {
    collection: <Document extends mongo.Document>(name: string): Documents<Document> => db.collection(name),
    /** Of its collections. */
    names: async () => (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
  };
}
