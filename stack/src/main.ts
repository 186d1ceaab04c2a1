import { problemText } from './cli/problem-text.ts';
import { StackError } from './stack-error.ts';

/** Resolves with the exit code. */
type Command = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>;

const operatorCommand = async () => (await import('./operator/operator-command.ts')).runOperatorCommand;

/** What runs each command. It is read when it is asked for: most know nothing of engines, which are most of what there is. */
const commands: Readonly<Record<string, Command>> = {
  start: async (args, environment) => (await import('./cli/start.ts')).start(args, environment),
  test: async (args, environment) => (await import('./cli/test.ts')).test(args, environment),
  fuzz: async (args, environment) => (await import('./cli/fuzz.ts')).fuzz(args, environment),
  index: async (args, environment) =>
    (await import('./cli/search-tool.ts')).runSearchTool('index', args, environment),
  relevance: async (args, environment) => (await import('./cli/relevance.ts')).relevance(args, environment),
  migrate: async (args, environment) => (await import('./cli/migrate-tool.ts')).migrate(args, environment),
  events: async (args, environment) => {
    const { runPartTool } = await import('./cli/part-tool.ts');
    return runPartTool({ part: 'updates', file: 'events-cli.js', args }, environment);
  },
  clients: async (args, environment) =>
    (await operatorCommand())((await import('./operator/clients.ts')).clients, args, environment),
  staff: async (args, environment) =>
    (await operatorCommand())((await import('./operator/staff.ts')).staff, args, environment),
  members: async (args, environment) =>
    (await operatorCommand())((await import('./operator/members.ts')).members, args, environment),
  keys: async (args, environment) =>
    (await operatorCommand())((await import('./operator/keys.ts')).keys, args, environment),
};

async function run(name = '', ...args: readonly string[]): Promise<number> {
  try {
    const command = commands[name];
    if (command) return await command(args, process.env);
    throw new StackError(`There is no command '${name}': ${Object.keys(commands).join(', ')}.`);
  } catch (error) {
    process.stderr.write(`${problemText(error)}\n`);
    return 1;
  }
}

process.exit(await run(...process.argv.slice(2)));
