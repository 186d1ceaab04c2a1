import { withoutEmptyVariables } from '@covalence/runtime/environment';
import { CommandError, errorAtTerminal } from '@covalence/runtime/command-error';

/** Resolves with the exit code. */
type Command = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>;

/** Imported lazily, so that each command loads only what it needs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./cli/start.ts')).start,
  test: async () => (await import('./cli/test.ts')).test,
  fuzz: async () => (await import('./cli/fuzz.ts')).fuzz,
};

async function run(name = '', ...args: readonly string[]): Promise<number> {
  try {
    const load = commands[name];
    if (load) return await (await load())(args, withoutEmptyVariables(process.env));
    throw new CommandError(`There is no command '${name}'. Commands: ${Object.keys(commands).join(', ')}.`);
  } catch (error) {
    process.stderr.write(`${errorAtTerminal(error)}\n`);
    return 1;
  }
}

process.exit(await run(...process.argv.slice(2)));
