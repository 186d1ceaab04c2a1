import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { folderVariable, signalProcess } from './process-table.ts';
import { waitUntil } from './wait-until.ts';

/** A child process that leads a process group of its own and does not outlive the process that started it. */
export interface GuardedProcess {
  /** Number of the process and of its group. */
  readonly pid: number;
  isAlive(): boolean;
  /** Resolves when it has ended, with how: "exit code 1" or "SIGKILL". */
  readonly ended: Promise<string>;
  /** Asks it to end; kills the whole group when it has not after 10 s. Resolves when it has ended. */
  terminate(): Promise<void>;
  signalGroup(signal: NodeJS.Signals): void;
}

const graceMilliseconds = 10_000;

/**
 * The shell becomes the server. Before that it leaves a guard in the server's process group, which reads from the
 * starter: when the starter is gone, even by SIGKILL, the guard reads the end, asks the server to end and at last
 * kills the group.
 */
const guard = `
(
  trap '' TERM INT HUP
  read -r _ <&3
  kill -s TERM $$
  tries=${graceMilliseconds / 100}
  while kill -0 $$ && [ $tries -gt 0 ]; do tries=$((tries - 1)); sleep 0.1; done
  kill -s KILL -- -$$
) > /dev/null 2>&1 &
exec "$@" 3<&-`;

/**
 * Starts a command under guard, working in the folder, its output added to the log file.
 * @throws the system's error when it cannot be started.
 */
export async function startGuarded(start: {
  command: string;
  args: readonly string[];
  environment: Record<string, string | undefined>;
  folder: string;
  logFile: string;
}): Promise<GuardedProcess> {
  const log = openSync(start.logFile, 'a');
  const child = spawn('/bin/sh', ['-c', guard, 'covalence-engine', start.command, ...start.args], {
    cwd: start.folder,
    env: { ...start.environment, [folderVariable]: start.folder },
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${start.command} has no process`);

  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      hasEnded = true;
      // The guard, and what the server may have left behind.
      signalProcess(-pid, 'SIGKILL');
      resolve(signal ?? `exit code ${code}`);
    });
  });
  // The guard's end of the pipe may break when the group is killed.
  child.stdio[3]?.on('error', () => undefined);

  return {
    pid,
    isAlive: () => !hasEnded,
    ended,
    async terminate() {
      if (hasEnded) return;
      signalProcess(-pid, 'SIGCONT');
      signalProcess(pid, 'SIGTERM');
      if (!(await waitUntil(() => hasEnded, graceMilliseconds))) signalProcess(-pid, 'SIGKILL');
      await ended;
    },
    signalGroup(signal) {
      if (!hasEnded) signalProcess(-pid, signal);
    },
  };
}
