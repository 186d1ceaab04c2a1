import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DataFolder } from '../checkout.ts';
import { engineFolders, readRecord } from '../engines/engine-record.ts';
import { stopLeftover } from '../engines/leftover-engine.ts';

const foldersIn = (path: string): string[] => {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
};

/** Ends engines and services that a killed run has left. The caller holds the lock of the folder. */
export async function stopLeftovers({ engines, services }: DataFolder): Promise<void> {
  const folders = [engines, services].flatMap((parent) =>
    foldersIn(parent).flatMap((name) => engineFolders(join(parent, name))),
  );
  await Promise.all(
    folders.map((folder) => stopLeftover(basename(folder), folder, readRecord(folder).running)),
  );
}
