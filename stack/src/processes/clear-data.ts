import { existsSync, rmSync } from 'node:fs';
import type { DataFolder } from '../checkout.ts';
import { CommandError } from '@covalence/runtime/command-error';

/**
 * Deletes what a stack keeps in its folder, and nothing else that is there. Throws a CommandError where the folder has such
 * names but no instance of a stack: they are somebody else's.
 */
export function clearData(data: DataFolder): void {
  const { engines, services, logs, photos, mails, portsFile, seedFile, demoFile, runningFile } = data;
  const owned = [engines, services, logs, photos, mails, portsFile, seedFile, demoFile, runningFile];
  const found = owned.filter((path) => existsSync(path));
  if (found.length && !existsSync(data.instanceFile)) {
    throw new CommandError(
      `${data.path} is not the data of a stack: nothing in it was deleted. Take another folder with --data.`,
    );
  }
  // The instance comes last: by it a run that was ended in the middle of this knows the folder again.
  for (const path of [...found, data.instanceFile]) rmSync(path, { recursive: true, force: true });
}
