import { buildProgram } from '@covalence/cli/program';
import type { Command } from '@covalence/runtime/command';
import { code, tableOf, withGenerated } from './table.ts';

const usageOf = (path: string, { registeredArguments }: Command): string =>
  [
    path,
    ...registeredArguments.map((argument) => {
      const name = argument.variadic ? `${argument.name()}...` : argument.name();
      return argument.required ? `<${name}>` : `[${name}]`;
    }),
  ].join(' ');

/** The groups of commands, by task. */
const sections = {
  'Apps, keys and members': ['clients', 'keys', 'credentials', 'members'],
  'Staff and moderation': ['staff'],
  'State, events and migrations': ['operations', 'events', 'migrate'],
  Backups: ['backup', 'restore'],
  Search: ['index', 'search-settings', 'usage', 'experiment', 'judgments', 'relevance'],
  Sales: ['packages'],
};

/** Usage and description of each command below one, e.g. `clients create <name> <redirect-address...>`. */
function rowsOf(command: Command, path: string): string[][] {
  const { commands } = command;
  if (!commands.length) return [[code(usageOf(path, command)), command.description()]];
  return commands.flatMap((one) => rowsOf(one, [path, one.name()].join(' ').trim()));
}

/** The options of a command, e.g. of `clients create`. */
function optionsOf(program: Command, ...names: readonly string[]): string[][] {
  const command = names.reduce<Command | undefined>(
    (within, name) => within?.commands.find((one) => one.name() === name),
    program,
  );
  if (!command) throw new Error(`there is no command ${names.join(' ')}`);
  return command.options.map(({ flags, description }) => [code(flags), description]);
}

/** docs/commands.md with every command of `covalence`. */
export async function withCommands(page: string): Promise<string> {
  const groups = new Map((await buildProgram([], {})).commands.map((group) => [group.name(), group]));
  const lines = Object.entries(sections).flatMap(([title, names]) => {
    const rows = names.flatMap((name) => {
      const group = groups.get(name);
      groups.delete(name);
      return group ? rowsOf(group, name) : [];
    });
    return [`## ${title}`, '', ...tableOf(['pnpm covalence …', 'effect'], rows), ''];
  });
  if (groups.size) throw new Error(`add to a section: ${[...groups.keys()].join(', ')}`);
  return withGenerated(page, 'commands', lines.slice(0, -1));
}

/** docs/operations.md with the options of client applications. */
export async function withClientOptions(page: string): Promise<string> {
  const options = optionsOf(await buildProgram(['clients'], {}), 'clients', 'create');
  return withGenerated(page, 'clients', tableOf(['option of `clients create`', 'effect'], options));
}
