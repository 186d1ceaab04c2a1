import { action, createProgram, runProgram, type Command, type Output } from '@covalence/runtime/command';
import { CommandError } from '@covalence/runtime/command-error';
import { readToolConfig } from '@covalence/runtime/config';
import { reasonText } from '@covalence/runtime/error-text';
import { mongoReady } from '@covalence/runtime/mongo';
import type { Migration } from './migration.ts';
import { shardCommands, type Sharding } from './sharding.ts';
import { createMigrator, type Migrator, type MigratorOptions } from './migrator.ts';

type Print = MigratorOptions['print'];

/** The result of a migration command on one service. */
interface Result {
  /** Whether no migration is due. */
  readonly isDone: boolean;
  readonly data: object;
}

const ran = (done: readonly string[], print: Print): Result => {
  for (const name of done) print(`done: ${name}`);
  if (!done.length) print('nothing to do');
  return { isDone: true, data: { done } };
};

/** Dependencies of a command; `line` prints without the name of the service. */
interface Work {
  readonly migrator: Migrator;
  readonly opened: Pick<Opened, 'connection' | 'sharding'>;
  readonly print: Print;
  readonly line: Print;
}

const commands = {
  up: async ({ migrator, print }: Work) => ran(await migrator.up(), print),
  finish: async ({ migrator, print }: Work) => ran(await migrator.finish(), print),
  shards({ opened: { connection, sharding }, line }: Work): Promise<Result> {
    const lines = shardCommands(connection.name, sharding);
    for (const command of lines) line(command);
    return Promise.resolve({ isDone: true, data: { commands: lines } });
  },
  async status({ migrator, print }: Work): Promise<Result> {
    const migrations = await migrator.status();
    for (const { name, what, runs, done } of migrations) {
      const state = done ? `done ${done.toISOString()}` : `to do ${runs} this version`;
      print(`${name}: ${what}; ${state}`);
    }
    if (!migrations.length) print('no migrations; indexes are up to date');
    const isDone = migrations.every(({ done, runs }) => done !== undefined || runs === 'after');
    return { isDone, data: { migrations } };
  },
} as const;

/** Name of a migration command. */
type MigrateCommand = keyof typeof commands;

/** Building an index of a large collection takes minutes. */
const unlimited = { databaseLimitMs: 0 };

/** The database and the migrations of a service. */
type Opened = Omit<MigratorOptions, 'print'> & {
  readonly sharding: Sharding;
  readonly close: () => Promise<void>;
};

/** Opens the database of a service from its environment; throws a ConfigurationError for a bad one. */
export type OpenMigrations = (environment: NodeJS.ProcessEnv, limits: typeof unlimited) => Opened;

/** The migrations of a service in order, run on the connection of its context, and the shard keys of its collections. */
export const migrationsOf =
  <Schema extends Parameters<typeof readToolConfig>[0]>(
    schema: Schema,
    createContext: (
      config: ReturnType<typeof readToolConfig<Schema>>,
      limits: typeof unlimited,
    ) => Pick<Opened, 'connection' | 'close'>,
    migrations: readonly Migration[],
    sharding: Sharding,
  ): OpenMigrations =>
  (environment, limits) => {
    const context = createContext(readToolConfig(schema, environment), limits);
    return { connection: context.connection, migrations, sharding, close: () => context.close() };
  };

/** A service whose database is migrated. Both are called when a command runs, so that `--help` needs no environment. */
export interface MigratedService {
  readonly service: string;
  readonly environment: () => NodeJS.ProcessEnv;
  readonly load: () => Promise<OpenMigrations>;
}

async function migrateService(
  name: MigrateCommand,
  { service, environment, load }: MigratedService,
  { line, problem }: Output,
): Promise<Result> {
  try {
    const open = await load();
    // Warnings of other clients would obscure the output of the command.
    const { close, ...options } = open({ ...environment(), LOG_LEVEL: 'error' }, unlimited);
    try {
      // Also waits for the indexes.
      await mongoReady(options.connection);
      const print = (text: string) => line(`${service}: ${text}`);
      const migrator = createMigrator({ ...options, print });
      const { isDone, data } = await commands[name]({ migrator, opened: options, print, line });
      return { isDone, data: { service, ...data } };
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof CommandError && error.exitCode !== 78) throw error;
    problem(`${service}: failed: ${reasonText(error)}`);
    return { isDone: false, data: { service, error: reasonText(error) } };
  }
}

/** Adds `migrate up|finish|status|shards`. The services are migrated in order; a failure ends `up` and `finish`. */
export function addMigrateCommands(program: Command, services: readonly MigratedService[]): void {
  const group = program.command('migrate').description('migrate stored data before and after a rollout');
  const add = (name: MigrateCommand, description: string) =>
    group
      .command(name)
      .description(description)
      .action(
        action(async ({ output }) => {
          const results: Result[] = [];
          for (const service of services) {
            results.push(await migrateService(name, service, output));
            if (name !== 'status' && !results.at(-1)?.isDone) break;
          }
          output.data(results.map(({ data }) => data));
          return results.every(({ isDone }) => isDone);
        }),
      );
  add('up', 'build indexes and run the migrations that are due before this version starts');
  add('finish', 'run the remaining migrations after the last process of the previous version has stopped');
  add('shards', 'print the mongosh commands that shard the collections of a new deployment');
  add('status', 'list the migrations; exit code 1 when one is due before this version starts');
}

const environment = () => process.env;

/** Runs `covalence` in the image of a service: `migrate`, and what `add` adds, on the stores of the environment. */
export async function runServiceCommand(
  service: string,
  openMigrations: OpenMigrations,
  add?: (program: Command, environment: () => NodeJS.ProcessEnv) => void,
): Promise<never> {
  const program = createProgram(
    'covalence',
    `Operates the ${service} service with the environment of this container.`,
  );
  addMigrateCommands(program, [{ service, environment, load: () => Promise.resolve(openMigrations) }]);
  add?.(program, environment);
  process.exit(await runProgram(program, process.argv.slice(2)));
}
