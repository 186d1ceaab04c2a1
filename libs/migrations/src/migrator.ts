import { createLease } from '@covalence/events/lease';
import type { Connection, mongo } from 'mongoose';
import { underLock } from './lock.ts';
import { databaseOf, type Migration } from './migration.ts';

/** A migration and since when it is done. */
interface MigrationState extends Pick<Migration, 'name' | 'what' | 'runs'> {
  readonly done: Date | undefined;
}

/** Brings the database of one service to where its version needs it. */
export interface Migrator {
  /** Every migration in order. */
  status(): Promise<MigrationState[]>;
  /**
   * Runs what is due ahead of this version, in an empty database everything; answers the names. Throws where `finish` is
   * due first.
   */
  up(): Promise<string[]>;
  /** Runs everything that is left, now that no process of the version before runs; answers the names. */
  finish(): Promise<string[]>;
}

/** Where the migrations run. */
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

/** What is done is kept in the database that it was done to, so that a restored backup says what it holds. */
const recordsOf = (connection: Connection) => databaseOf(connection).collection<RecordDocument>('migrations');

const own = new Set(['migrations', 'leases']);

/** Whether the service has stored nothing yet, so that no other version of it can have. */
async function isEmpty(connection: Connection): Promise<boolean> {
  const { collection, names } = databaseOf(connection);
  const others = (await names()).filter((name) => !own.has(name));
  const found = await Promise.all(others.map((name) => collection(name).findOne()));
  return !found.some(Boolean);
}

/** What may run beside the version before. Where an `after` is in the way, an upgrade before this one was not finished. */
const dueBefore = (pending: readonly Migration[]): readonly Migration[] => {
  const first = pending.findIndex(({ runs }) => runs === 'after');
  const due = first === -1 ? pending : pending.slice(0, first);
  const behind = first === -1 ? [] : pending.slice(first).filter(({ runs }) => runs === 'before');
  const [next] = behind;
  if (next) {
    throw new Error(
      `${pending[first]?.name} comes before ${next.name}: once no process of the version before runs, finish first`,
    );
  }
  return due;
};

/** Creates the migrator of a service over its connection, which has to stand when it is used. */
export function createMigrator({ connection, migrations, print }: MigratorOptions): Migrator {
  const lease = createLease(connection, 'migrations', lockMs);
  const doneNow = async () =>
    new Map((await recordsOf(connection).find().toArray()).map(({ _id, at }) => [_id, at]));
  const pendingNow = async () => {
    const done = await doneNow();
    return migrations.filter(({ name }) => !done.has(name));
  };

  const run = (choose: (pending: readonly Migration[]) => readonly Migration[]) =>
    underLock({ lease, onWait: () => print('another process migrates: waiting for it') }, async (signal) => {
      const work = { collection: databaseOf(connection).collection, signal, print };
      const pending = await pendingNow();
      const isNew = pending.length === migrations.length && (await isEmpty(connection));
      const chosen = isNew ? pending : choose(pending);
      for (const { name, up } of chosen) {
        signal.throwIfAborted();
        await up(work).catch((cause: unknown) => {
          throw new Error(`${name} was cut off`, { cause });
        });
        await recordsOf(connection).updateOne({ _id: name }, { $set: { at: new Date() } }, { upsert: true });
      }
      return chosen.map(({ name }) => name);
    });

  return {
    async status() {
      const done = await doneNow();
      return migrations.map(({ name, what, runs }) => ({ name, what, runs, done: done.get(name) }));
    },
    up: () => run(dueBefore),
    finish: () => run((pending) => pending),
  };
}
