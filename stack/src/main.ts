import { fuzz } from './cli/fuzz.ts';
import { migrate } from './cli/migrate-tool.ts';
import { runPartTool } from './cli/part-tool.ts';
import { problemText } from './cli/problem-text.ts';
import { relevance } from './cli/relevance.ts';
import { runSearchTool } from './cli/search-tool.ts';
import { start } from './cli/start.ts';
import { test } from './cli/test.ts';
import { clients } from './operator/clients.ts';
import { keys } from './operator/keys.ts';
import { members } from './operator/members.ts';
import { runOperatorCommand } from './operator/operator-command.ts';
import { staff } from './operator/staff.ts';
import { StackError } from './stack-error.ts';

/** Resolves with the exit code. */
type Command = (args: readonly string[], environment: NodeJS.ProcessEnv) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
  start,
  test,
  fuzz,
  index: (args, environment) => runSearchTool('index', args, environment),
  relevance,
  migrate,
  events: (args, environment) => runPartTool({ part: 'updates', file: 'events-cli.js', args }, environment),
  clients: (args, environment) => runOperatorCommand(clients, args, environment),
  staff: (args, environment) => runOperatorCommand(staff, args, environment),
  members: (args, environment) => runOperatorCommand(members, args, environment),
  keys: (args, environment) => runOperatorCommand(keys, args, environment),
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
