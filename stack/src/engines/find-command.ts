import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where servers are installed although it is often not on an ordinary user's PATH. */
const usualFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];

/** Whether there is a file that may be executed. */
export function isCommand(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The full path of the first of these commands that is there: at its path, else on PATH or in a usual folder. */
export function findCommand(
  names: readonly string[],
  environment: Record<string, string | undefined>,
): string | undefined {
  const folders = [...(environment['PATH'] ?? '').split(delimiter).filter(Boolean), ...usualFolders];
  const paths = names.flatMap((name) =>
    isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)),
  );
  return paths.find(isCommand);
}
