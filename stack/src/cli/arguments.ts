import { CommandError } from '@covalence/runtime/command-error';
import { errorText } from '@covalence/runtime/error-text';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** parseArgs for a command. Throws a CommandError of one line that refers to the help. */
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

/** Parses the value of an option or a variable. Throws a CommandError that states the limits. */
export function wholeNumber(name: string, text: string, from: number, to: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new CommandError(`${name} takes a whole number from ${from} to ${to}, not '${text}'.`);
}
