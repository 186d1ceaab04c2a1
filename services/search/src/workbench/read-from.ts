import { CommandError } from '@covalence/runtime/command-error';
import { problemText } from '@covalence/runtime/config';

/** Reads a file; an error names it. */
export function readFrom<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (error) {
    throw new CommandError(`${path}:\n${problemText(error)}`);
  }
}
