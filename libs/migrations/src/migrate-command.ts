import { reasonText } from '@covalence/runtime/error-text';
import { mongoReady } from '@covalence/runtime/mongo';
import { asksForHelp } from '@covalence/runtime/tool-help';
import { ignoreBrokenPipe } from '@covalence/runtime/broken-pipe';
import { createMigrator, type Migrator, type MigratorOptions } from './migrator.ts';

type Print = MigratorOptions['print'];

const told = (names: readonly string[], print: Print) => {
  for (const name of names) print(`done: ${name}`);
  if (!names.length) print('nothing to do');
  return true;
};

/** Resolves with whether nothing is left that should be done. */
const commands: Readonly<Record<string, (migrator: Migrator, print: Print) => Promise<boolean>>> = {
  up: async (migrator, print) => told(await migrator.up(), print),
  finish: async (migrator, print) => told(await migrator.finish(), print),
  async status(migrator, print) {
    const all = await migrator.status();
    for (const { name, what, runs, done } of all) {
      const state = done ? `done ${done.toISOString()}` : `to do ${runs} this version`;
      print(`${name}: ${what}; ${state}`);
    }
    if (!all.length) print('no migrations; indexes are up to date');
    return all.every(({ done, runs }) => done !== undefined || runs === 'after');
  },
};

const usage = [
  'up      builds the indexes of this version and runs what is due before it starts',
  'finish  runs what is left once no process of the version before runs',
  'status  lists the migrations; 1 where one is due before this version starts',
];

/**
 * The migration tool of a service: waits for its database and the indexes of its models, then runs the command. Resolves
 * with the exit code: 0, 1 where something is left or went wrong, which `complain` is told, 64 for an unknown command.
 */
export async function runMigrateCommand(
  name: string,
  options: MigratorOptions,
  complain: Print = options.print,
): Promise<number> {
  const { connection, print } = options;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    for (const line of usage) print(line);
    return 64;
  }
  try {
    await mongoReady(connection);
    return (await command(createMigrator(options), print)) ? 0 : 1;
  } catch (error) {
    complain(`failed: ${reasonText(error)}`);
    return 1;
  }
}

/** An index of many documents, and a query that finds nothing among all of them, take minutes: nobody waits for an answer here. */
const unhurried = { databaseLimitMs: 0 };

/** What the tool of a service works on. */
type Opened = Omit<MigratorOptions, 'print'> & { readonly close: () => Promise<void> };

/**
 * The migration tool of a service as a process: its argument is the command; what it does stands behind the part's
 * name. What it works on is opened for a command that there is: `--help` needs no configuration.
 */
export async function runMigrateTool(part: string, open: (how: typeof unhurried) => Opened): Promise<void> {
  ignoreBrokenPipe();
  const args = process.argv.slice(2);
  const [name = ''] = args;
  if (asksForHelp(args) || args.length !== 1 || !Object.hasOwn(commands, name)) {
    process.stdout.write(`${usage.join('\n')}\n`);
    process.exitCode = asksForHelp(args) ? 0 : 64;
    return;
  }
  const print = (line: string) => void process.stdout.write(`${part}: ${line}\n`);
  const complain = (line: string) => void process.stderr.write(`${part}: ${line}\n`);
  const { close, ...options } = open(unhurried);
  process.exitCode = await runMigrateCommand(name, { ...options, print }, complain);
  await close();
}
