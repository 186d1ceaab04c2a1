import type { Connection } from 'mongoose';
import type { Migration } from './migration.ts';
import { createMigrator } from './migrator.ts';

/** The number of applied migrations of a service, and the open ones. */
export async function migrationState(connection: Connection, migrations: readonly Migration[]) {
  const all = await createMigrator({ connection, migrations, print: () => undefined }).status();
  const open = all.filter(({ done }) => done === undefined);
  return {
    applied: all.length - open.length,
    open: open.map(({ name, what, runs }) => ({ name, what, runs })),
  };
}
