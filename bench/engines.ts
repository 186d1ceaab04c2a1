import { addressVariable } from '@covalence/stack/address-variable';
import type { EngineName } from '@covalence/stack/engines/engine';
import { startEngines } from '@covalence/stack/engines/engines';
import { clearDeadRuns, runFolder } from '@covalence/stack/processes/run-folder';
import { stopAll } from '@covalence/stack/start-together';
import { rmSync } from 'node:fs';
import { say } from './say.ts';

/** The address of an engine of this run. */
export function engineUrl(name: EngineName): string {
  const url = process.env[addressVariable(name)];
  if (!url) throw new Error(`${addressVariable(name)} is not set`);
  return url;
}

/**
 * The engines of every benchmark of a run: those that the environment names, else ones of its own, which it names there for
 * the benchmarks to use. What a run keeps is in one folder, which goes with them; that of a run that was killed goes with the next.
 */
export async function startBenchEngines(): Promise<{ stop(): Promise<void> }> {
  await clearDeadRuns();
  const data = runFolder('bench');
  const engines = await startEngines({
    dataDir: data.engines,
    logDir: data.logs,
    environment: process.env,
    progress: say,
  });
  for (const { name, url } of Object.values(engines)) process.env[addressVariable(name)] = url;
  return {
    async stop() {
      await stopAll(Object.values(engines));
      rmSync(data.path, { recursive: true, force: true });
    },
  };
}
