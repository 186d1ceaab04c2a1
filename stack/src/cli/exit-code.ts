import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** The exit code of a child process when it ends, as a shell tells it: 128 and the signal's number where one ended it. */
export async function exitCodeOf(child: ChildProcess): Promise<number> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
}
