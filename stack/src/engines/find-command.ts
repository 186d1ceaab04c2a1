import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Folders of servers that are often not on a user's PATH. */
const usualFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];

/** Whether the path is an executable file. */
export function isCommand(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The path of the first of these commands that exists, on PATH or in a usual folder. */
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

/** Chromium without windows, which takes a third less processor time: its Debian package and its command. */
export const browserPackage = 'chromium-headless-shell';

/** The commands of the browser for tests of pages. */
export const browserCommands = ({ CHROMIUM }: NodeJS.ProcessEnv): readonly string[] =>
  CHROMIUM ? [CHROMIUM] : [browserPackage, 'chromium', 'chromium-browser', 'google-chrome'];
