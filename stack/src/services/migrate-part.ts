import { join } from 'node:path';
import { root } from '../checkout.ts';
import { runCommand } from '../engines/run-command.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { parts, type ServiceName } from './service-name.ts';

/** What a part is migrated with. */
export interface Migrating {
  readonly environment: Record<string, string | undefined>;
  /** Told of each migration that was run. */
  readonly told: (line: string) => void;
  readonly stopped: AbortSignal;
}

const isDone = (line: string) => line.includes(': done: ');

/** Longer than the tool waits for the lock of one that was killed, and for what a million documents take. */
const limitMs = 3_600_000;

/**
 * Brings what a part has stored to where this version needs it, all of it: the caller knows that no process of the version
 * before runs. A service without a database is left alone. Throws a CommandError with what the tool said, all of it: of a
 * settings file that is not valid, each problem has lines of its own.
 */
export async function migratePart(
  name: ServiceName,
  { environment, told, stopped }: Migrating,
): Promise<void> {
  if (!parts[name].needs.some((engine) => engine === 'mongodb')) return;
  const program = join(root, parts[name].folder, 'dist/covalence.js');
  const { ok, output } = await runCommand(process.execPath, [program, 'migrate', 'finish'], {
    environment,
    milliseconds: limitMs,
    signal: stopped,
  });
  stopped.throwIfAborted();
  const lines = output.trim().split('\n');
  if (!ok) {
    const said = lines.filter((line) => !isDone(line)).join('\n');
    throw new CommandError(`What ${name} has stored could not be brought to this version: ${said}`);
  }
  for (const line of lines.filter(isDone)) told(line);
}
