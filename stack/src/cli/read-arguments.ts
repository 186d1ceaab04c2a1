import { argumentProblem } from '@covalence/runtime/tool-help';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { StackError } from '../stack-error.ts';

/** parseArgs for a command; a StackError says in one line what is wrong, and how the command is asked for help. */
export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
  help: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new StackError(`${argumentProblem(error)}. See ${help}.`);
  }
}
