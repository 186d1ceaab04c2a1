import { CommandError } from '@covalence/runtime/command-error';
import { join } from 'node:path';
import { root } from '../checkout.ts';
import { runCommand } from '../engines/run-command.ts';
import { serviceDefinitions, type ServiceName } from './service-name.ts';

interface MigrationOptions {
  readonly environment: Record<string, string | undefined>;
  /** Receives a line for each migration that was run. */
  readonly onMigration: (line: string) => void;
  readonly stopped: AbortSignal;
}

const isDone = (line: string) => line.includes(': done: ');

/** Enough for a million documents after the lock of a killed process has expired. */
const limitMs = 3_600_000;

/**
 * Runs `migrate finish` of a service that has a database. No process of an earlier version may run. Throws a
 * CommandError with the output when it fails.
 */
export async function migrateService(
  name: ServiceName,
  { environment, onMigration, stopped }: MigrationOptions,
): Promise<void> {
  const { folder, needs } = serviceDefinitions[name];
  if (!needs.some((engine) => engine === 'mongodb')) return;
  const { ok, output } = await runCommand(
    process.execPath,
    [join(root, folder, 'dist/covalence.js'), 'migrate', 'finish'],
    { environment, milliseconds: limitMs, signal: stopped },
  );
  stopped.throwIfAborted();
  const lines = output.trim().split('\n');
  if (!ok) {
    const problems = lines.filter((line) => !isDone(line)).join('\n');
    throw new CommandError(`The data of ${name} could not be migrated to this version: ${problems}`);
  }
  for (const line of lines.filter(isDone)) onMigration(line);
}
