import { startGuarded } from '@covalence/stack/engines/guarded-process';
import type { EmbeddedEngines } from '@covalence/stack/engines/jar-cache';
import { mongodbEngine } from '@covalence/stack/engines/mongodb-engine';
import { until } from '@covalence/testing/until';
import { join } from 'node:path';

const startMs = 60_000;

/** Starts an empty database in memory for the suite. */
export async function startSuiteDatabase(
  { folder: engines, java }: EmbeddedEngines,
  { folder, port }: { readonly folder: string; readonly port: number },
) {
  const child = await startGuarded({
    command: join(java.home, 'bin/java'),
    args: [
      '-XX:+UseSerialGC',
      '-cp',
      join(engines, 'mongodb/lib/*'),
      join(import.meta.dirname, 'SuiteDatabase.java'),
      String(port),
    ],
    environment: process.env,
    folder,
    logFile: join(folder, 'database.log'),
  });
  const url = `mongodb://127.0.0.1:${port}/test_suite?retryWrites=false`;
  await until('the database of the suite to start', () => mongodbEngine.ping(url), startMs).catch(
    async (error: unknown) => {
      await child.terminate();
      throw error;
    },
  );
  return { url, stop: () => child.terminate() };
}
