import { existsSync, rmSync } from 'node:fs';
import type { DataFolder } from '../checkout.ts';
import { CommandError } from '@covalence/runtime/command-error';

/** Deletes the files of a stack, and no others. Throws a CommandError when the folder is not the data of a stack. */
export function clearData(data: DataFolder): void {
  const { engines, services, logs, photos, mails, portsFile, seedFile, demoFile, runningFile } = data;
  const owned = [engines, services, logs, photos, mails, portsFile, seedFile, demoFile, runningFile];
  const found = owned.filter((path) => existsSync(path));
  if (found.length && !existsSync(data.instanceFile)) {
    throw new CommandError(
      `${data.path} is not the data of a stack: nothing was deleted. Choose another folder with --data.`,
    );
  }
  // The instance is deleted last: it identifies the folder if this is interrupted.
  for (const path of [...found, data.instanceFile]) rmSync(path, { recursive: true, force: true });
}
