import { createLease, underLease } from '@covalence/events/lease';
import type { Connection, mongo } from 'mongoose';
import { databaseOf, type Migration } from './migration.ts';

/** Runs the migrations of one service. */
export type Migrator = ReturnType<typeof createMigrator>;

/** Options of a migrator. */
export interface MigratorOptions {
  readonly connection: Connection;
  readonly migrations: readonly Migration[];
  readonly print: (line: string) => void;
}

interface RecordDocument extends mongo.Document {
  _id: string;
  at: Date;
}

const lockMs = 60_000;
const waitMs = 600_000;

/** Stored in the migrated database, so that a restored backup knows its state. */
const recordsOf = (connection: Connection) => databaseOf(connection).collection<RecordDocument>('migrations');

const own = new Set(['migrations', 'leases']);

/** Whether the database is empty, so that no other version can be running. */
async function isEmpty(connection: Connection): Promise<boolean> {
  const { collection, names } = databaseOf(connection);
  const others = (await names()).filter((name) => !own.has(name));
  const found = await Promise.all(others.map((name) => collection(name).findOne()));
  return !found.some(Boolean);
}

/**
 * The migrations that may run beside the previous version. Throws if an `after` migration of an earlier
 * upgrade was never run.
 */
const dueBefore = (pending: readonly Migration[]): readonly Migration[] => {
  const first = pending.findIndex(({ runs }) => runs === 'after');
  const due = first === -1 ? pending : pending.slice(0, first);
  const behind = first === -1 ? [] : pending.slice(first).filter(({ runs }) => runs === 'before');
  const [next] = behind;
  if (next) {
    throw new Error(
      `${pending[first]?.name} must run before ${next.name}: run migrate finish once the previous version has stopped`,
    );
  }
  return due;
};

/** Creates the migrator of a service. */
export function createMigrator({ connection, migrations, print }: MigratorOptions) {
  const lease = createLease(connection, 'migrations', lockMs);
  const doneNow = async () =>
    new Map((await recordsOf(connection).find().toArray()).map(({ _id, at }) => [_id, at]));
  const pendingNow = async () => {
    const done = await doneNow();
    return migrations.filter(({ name }) => !done.has(name));
  };

  const run = (choose: (pending: readonly Migration[]) => readonly Migration[]) =>
    underLease(
      {
        lease,
        waitMs,
        late: () => new Error('another process has been migrating for 10 minutes'),
        onWait: () => print('waiting for another process that is migrating'),
      },
      async (signal) => {
        const work = { collection: databaseOf(connection).collection, signal, print };
        const pending = await pendingNow();
        const isNew = pending.length === migrations.length && (await isEmpty(connection));
        const chosen = isNew ? pending : choose(pending);
        for (const { name, up } of chosen) {
          signal.throwIfAborted();
          await up(work).catch((cause: unknown) => {
            throw new Error(`migration ${name} did not finish`, { cause });
          });
          await recordsOf(connection).updateOne(
            { _id: name },
            { $set: { at: new Date() } },
            { upsert: true },
          );
        }
        return chosen.map(({ name }) => name);
      },
    );

  return {
    /** Every migration in order, and when it was done. */
    async status() {
      const done = await doneNow();
      return migrations.map(({ name, what, runs }) => ({ name, what, runs, done: done.get(name) }));
    },
    /**
     * Runs the migrations that are due before this version starts, or all of them in an empty database.
     * Resolves with their names. Throws if `finish` is due first.
     */
    up: () => run(dueBefore),
    /** Runs all remaining migrations and resolves with their names. */
    finish: () => run((pending) => pending),
  };
}
