import { withoutEmptyVariables } from '@covalence/runtime/environment';
import { problemText } from '@covalence/stack/cli/problem-text';
import type { OperatorCommand } from './operator/operator-command.ts';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { CommandError } from '@covalence/runtime/command-error';

/** Resolves with the exit code. */
type Command = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>;

/** A command of the operator: what it does, run against a stack. */
const operated = async (what: OperatorCommand): Promise<Command> => {
  const { runOperatorCommand } = await import('./operator/operator-command.ts');
  return (args, environment) => runOperatorCommand(what, args, environment);
};

/** A tool of a part, run against a stack. */
const toolOf = async (part: ServiceName, file: string): Promise<Command> => {
  const { runPartTool } = await import('./part-tool.ts');
  return (args, environment) => runPartTool({ part, file, args }, environment);
};

/** What runs each command. It is read when it is asked for: most know nothing of engines, which are most of what there is. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  credentials: async () => (await import('./credentials.ts')).credentials,
  index: () => toolOf('search', 'index-cli.js'),
  relevance: async () => (await import('./relevance.ts')).relevance,
  migrate: async () => (await import('./migrate-tool.ts')).migrate,
  events: () => toolOf('updates', 'events-cli.js'),
  clients: async () => operated((await import('./operator/clients.ts')).clients),
  staff: async () => operated((await import('./operator/staff.ts')).staff),
  members: async () => operated((await import('./operator/members.ts')).members),
  keys: async () => operated((await import('./operator/keys.ts')).keys),
};

async function run(name = '', ...args: readonly string[]): Promise<number> {
  try {
    const load = commands[name];
    if (load) return await (await load())(args, withoutEmptyVariables(process.env));
    throw new CommandError(`There is no command '${name}': ${Object.keys(commands).join(', ')}.`);
  } catch (error) {
    process.stderr.write(`${problemText(error)}\n`);
    return 1;
  }
}

process.exit(await run(...process.argv.slice(2)));
