import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, defaultData, type DataFolder } from '../checkout.ts';
import { startTimeOf } from '../engines/process-table.ts';
import { stopLeftovers } from './stop-leftovers.ts';

/** A run that keeps no data. */
type RunKind = 'test' | 'bench';

/** The folder of a run is named after its process: `test-<pid>-<start time>`. */
const named = /^(?:test|bench)-(\d+)-(\d+)$/;

/** Creates the data folder of this process's run. */
export function runFolder(kind: RunKind): DataFolder {
  return dataFolder(join(defaultData, `${kind}-${process.pid}-${startTimeOf(process.pid)}`));
}

/** Ends processes of killed runs and deletes their folders. */
export async function clearDeadRuns(): Promise<void> {
  for (const name of existsSync(defaultData) ? readdirSync(defaultData) : []) {
    const [, pid, startTime] = named.exec(name) ?? [];
    if (!pid || startTimeOf(Number(pid)) === startTime) continue;
    const data = dataFolder(join(defaultData, name));
    await stopLeftovers(data);
    rmSync(data.path, { recursive: true, force: true });
  }
}
