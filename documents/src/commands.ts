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

/** docs/operations.md with every command of `covalence`, and the options of client applications. */
export async function withCommands(page: string): Promise<string> {
  const program = await buildProgram([], {});
  const commands = tableOf(['pnpm covalence …', 'effect'], rowsOf(program, ''));
  const options = tableOf(['option of `clients create`', 'effect'], optionsOf(program, 'clients', 'create'));
  return withGenerated(withGenerated(page, 'commands', commands), 'clients', options);
}
