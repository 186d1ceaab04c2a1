import { CommandError } from '@covalence/runtime/command-error';
import type { EngineRecord } from './engine-record.ts';
import { membersOf, signalProcess, startTimeOf, waitUntil } from './process-table.ts';

const graceMilliseconds = 10_000;
const killMilliseconds = 5_000;

/**
 * Ends processes of this folder that an earlier, killed start has left running.
 * @throws CommandError when the earlier starter is alive, or a process does not end.
 */
export async function stopLeftover(
  title: string,
  folder: string,
  running: EngineRecord['running'],
): Promise<void> {
  if (running === undefined) return;
  const { engine, starter } = running;
  const group = engine.pid;
  const isGone = (): boolean => membersOf(group, folder).length === 0;
  if (isGone()) return;
  if (startTimeOf(starter.pid) === starter.startTime) {
    throw new CommandError(
      `${title} is already running on ${folder}, started by process ${starter.pid}: stop that one, or use another data folder`,
    );
  }
  signalProcess(-group, 'SIGCONT');
  signalProcess(group, 'SIGTERM');
  if (await waitUntil(isGone, graceMilliseconds)) return;
  signalProcess(-group, 'SIGKILL');
  if (await waitUntil(isGone, killMilliseconds)) return;
  throw new CommandError(
    `${title} of an earlier start (process ${group}) does not end: kill it and start again`,
  );
}
