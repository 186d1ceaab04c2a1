import { errorText } from '@covalence/runtime/error-text';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CommandError } from '@covalence/runtime/command-error';

/** parseArgs for a command; a CommandError says in one line what is wrong, and how the command is asked for help. */
export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
  help: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new CommandError(`${errorText(error).split(/\.(?:\s|$)/)[0]}. See ${help}.`);
  }
}
