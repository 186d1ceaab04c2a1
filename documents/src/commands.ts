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

/** docs/operations.md with every command of `covalence`. */
export async function withCommands(page: string): Promise<string> {
  const program = await buildProgram([], {});
  return withGenerated(page, 'commands', tableOf(['pnpm covalence …', 'effect'], rowsOf(program, '')));
}
