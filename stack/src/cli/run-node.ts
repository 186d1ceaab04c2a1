import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { root } from '../checkout.ts';

/** Runs a Node.js program until it ends or `stopped` aborts. Resolves with its exit code, 128 + N after signal N. */
export async function runNode(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  stopped: AbortSignal,
): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: environment,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  stopped.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
}
