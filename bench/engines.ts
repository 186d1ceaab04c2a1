import { addressVariable } from '@covalence/stack/address-variable';
import type { Engine, EngineName } from '@covalence/stack/engines/engine';
import { startEngines } from '@covalence/stack/engines/engines';
import { clearDeadRuns, runFolder } from '@covalence/stack/processes/run-folder';
import { stopAll } from '@covalence/stack/start-together';
import { rmSync } from 'node:fs';

/** Prints progress. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`);

let started: readonly Engine[] = [];

/** The processes of the engines that this run started by name; each leads its group. */
export const engineProcesses = (): ReadonlyMap<EngineName, number> =>
  new Map(started.flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid] as const])));

/** The address of an engine of this run. */
export function engineUrl(name: EngineName): string {
  const url = process.env[addressVariable(name)];
  if (!url) throw new Error(`${addressVariable(name)} is not set`);
  return url;
}

/**
 * Memory for 100,000 members in the embedded MongoDB. With the small young generation of a developer's machine it would be collected
 * several times a second, and every hundredth search would wait for that.
 */
const roomyMongo = { MONGODB_JAVA_OPTS: '-Xms8g -Xmx8g -Xmn2g' };

/** Starts the engines that the environment does not name, and names them there. Their folder is deleted at the end. */
export async function startBenchEngines(): Promise<{ stop(): Promise<void> }> {
  await clearDeadRuns();
  const data = runFolder('bench');
  const engines = await startEngines({
    dataDir: data.engines,
    logDir: data.logs,
    environment: { ...roomyMongo, ...process.env },
    progress: say,
  });
  started = Object.values(engines);
  for (const { name, url } of started) process.env[addressVariable(name)] = url;
  return {
    async stop() {
      await stopAll([...started]);
      rmSync(data.path, { recursive: true, force: true });
    },
  };
}
