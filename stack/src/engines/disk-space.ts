import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '@covalence/runtime/command-error';

const neededBytes = 1024 ** 3;

/**
 * Checks that 1 GiB is free on the file system of a folder, which need not exist.
 * @throws CommandError when less is free.
 */
export async function requireDiskSpace(folder: string): Promise<void> {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  if (free >= neededBytes) return;
  const mebibytes = Math.floor(free / 1024 ** 2);
  throw new CommandError(
    `Only ${mebibytes} MiB are free for ${folder}, and 1 GiB is needed: free some space and start again`,
  );
}
