import { buildProgram } from '@covalence/cli/program';
import type { Command } from '@covalence/runtime/command';
import { blocks, code, table } from './markdown.ts';

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
  if (command.commands.length) return command.commands.flatMap((one) => rowsOf(one, `${path} ${one.name()}`));
  const usage = `${path} ${command.usage().replace('[options]', '').trim()}`;
  return [[code(usage.trim()), command.description()]];
}

/** Every command of `covalence`. */
export async function commands(): Promise<string> {
  const groups = new Map((await buildProgram([], {})).commands.map((group) => [group.name(), group]));
  const parts = Object.entries(sections).flatMap(([title, names]) => {
    const rows = names.flatMap((name) => {
      const group = groups.get(name);
      groups.delete(name);
      return group ? rowsOf(group, name) : [];
    });
    return [`## ${title}`, table(['pnpm covalence …', 'effect'], rows)];
  });
  if (groups.size) throw new Error(`add to a section: ${[...groups.keys()].join(', ')}`);
  return blocks(...parts);
}

/** The options of client applications. */
export async function clientOptions(): Promise<string> {
  const groups = (await buildProgram(['clients'], {})).commands;
  const create = groups.flatMap((group) => group.commands).find((one) => one.name() === 'create');
  if (!create) throw new Error('there is no command clients create');
  const rows = create.options.map(({ flags, description }) => [code(flags), description]);
  return table(['option of `clients create`', 'effect'], rows);
}
