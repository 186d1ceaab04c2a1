import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { folderVariable, signalProcess, waitUntil } from './process-table.ts';

/** A child process that leads its own process group and does not outlive its starter. */
export interface GuardedProcess {
  /** The number of the process and of its group. */
  readonly pid: number;
  isAlive(): boolean;
  /** Resolves with "exit code 1" or "SIGKILL" when it has ended. */
  readonly ended: Promise<string>;
  /** Resolves like `ended`, but never after terminate(). */
  readonly died: Promise<string>;
  /** Sends SIGTERM, and after 10 s SIGKILL to the group. Resolves when it has ended. */
  terminate(): Promise<void>;
  signalGroup(signal: NodeJS.Signals): void;
}

const graceMilliseconds = 10_000;

/**
 * The shell starts a guard in the background and then becomes the server. The guard reads from a pipe of the starter;
 * when the starter ends, even by SIGKILL, the guard sends SIGTERM to the server and at last SIGKILL to the group.
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
 * Starts a guarded command in the folder and appends its output to the log file.
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
  let isStopping = false;
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      hasEnded = true;
      // The guard, and children that the server may have left.
      signalProcess(-pid, 'SIGKILL');
      resolve(signal ?? `exit code ${code}`);
    });
  });
  // The pipe breaks when the group is killed.
  child.stdio[3]?.on('error', () => undefined);

  const died = new Promise<string>((resolve) => {
    void ended.then((how) => !isStopping && resolve(how));
  });

  return {
    pid,
    isAlive: () => !hasEnded,
    ended,
    died,
    async terminate() {
      isStopping = true;
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
