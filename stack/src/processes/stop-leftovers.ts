import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from '../checkout.ts';
import { readRecord } from '../engines/engine-record.ts';
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
  const units = [engines, services].flatMap((parent) =>
    foldersIn(parent).map((name) => ({ name, folder: join(parent, name) })),
  );
  await Promise.all(units.map(({ name, folder }) => stopLeftover(name, folder, readRecord(folder).running)));
}
