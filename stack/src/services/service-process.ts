import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../checkout.ts';
import { rememberProcess } from '../engines/engine-record.ts';
import { startGuarded, type GuardedProcess } from '../engines/guarded-process.ts';
import { logLength, openLogFile } from '../engines/log-file.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { lastMessages } from './last-messages.ts';
import { serviceDefinitions, type ServiceName } from './service-name.ts';

/** A running gateway or service. */
export interface ServiceProcess {
  readonly name: ServiceName;
  /** Internal address. */
  readonly url: string;
  readonly logFile: string;
  /** Absent while it does not run. */
  readonly pid?: number;
  /** Resolves with one line when it ends by itself. After restart() it is a new promise. */
  readonly exited: Promise<string>;
  /** Sends SIGTERM, then SIGKILL after 10 s. */
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Restarts it on the same ports; resolves when it is ready. */
  restart(): Promise<void>;
  /** The last lines of its log. */
  logs(count?: number): string[];
}

/**
 * Node.js options of every service, here as in its image: V8 may double its long-lived memory before it collects
 * the whole heap. By itself it waits for a tenth, or for 8 MB read from sockets, which is a second of
 * searches: their p99, four at once, was 51 ms instead of 42.
 */
export const heapOptions = ['--heap-growing-percent=100'] as const;

/** Name, environment and folders for starting a service. */
export interface ServiceLaunch {
  readonly name: ServiceName;
  readonly environment: Record<string, string | undefined>;
  /** Records the process, so that the next start can end it if this one is killed. */
  readonly folder: string;
  readonly logDir: string;
  readonly url: string;
  readonly managementPort: number;
  /** The checkout whose build runs, read at each start; default this one. */
  readonly root?: string | undefined;
}

const readyLimitMs = 60_000;

/** Whether a service is ready and reaches every store, including those that it can be ready without. */
export async function reachesEverything(managementUrl: string): Promise<boolean> {
  const response = await fetch(`${managementUrl}/health/ready`, { signal: AbortSignal.timeout(3_000) }).catch(
    () => undefined,
  );
  const report = (await response?.text().catch(() => '"down"')) ?? '';
  return response?.status === 200 && !report.includes('"down"');
}

/** Polls until the service is ready. Rejects with the end of its log when it exits or takes over a minute. */
async function untilReady(launch: ServiceLaunch, child: GuardedProcess, log: () => string): Promise<void> {
  const { name, managementPort } = launch;
  const isReady = () => reachesEverything(`http://127.0.0.1:${managementPort}`);
  for (const start = Date.now(); !(await isReady()); await wait(40)) {
    if (!child.isAlive()) {
      throw new CommandError(`${name} did not start (${await child.ended}); its log: ${log()}`);
    }
    if (Date.now() - start > readyLimitMs) {
      throw new CommandError(`${name} was not ready within ${readyLimitMs / 1_000} s; its log: ${log()}`);
    }
  }
}

/** One process of a service. */
interface Run {
  readonly child: GuardedProcess;
  /** Resolves when the process ends by itself. */
  readonly exited: Promise<string>;
}

/** Starts a process and waits until it is ready; a failed start leaves no process. */
async function startOnce(launch: ServiceLaunch, logFile: string, stopped: AbortSignal): Promise<Run> {
  stopped.throwIfAborted();
  const logStart = logLength(logFile);
  const log = () => lastMessages(logFile, logStart);
  const child = await startGuarded({
    command: process.execPath,
    args: [
      ...heapOptions,
      '--enable-source-maps',
      join(launch.root ?? root, serviceDefinitions[launch.name].folder, 'dist/main.js'),
    ],
    environment: launch.environment,
    folder: launch.folder,
    logFile,
  });
  rememberProcess(launch.folder, child.pid);
  const giveUp = () => void child.terminate();
  stopped.addEventListener('abort', giveUp, { once: true });
  try {
    await untilReady(launch, child, log);
  } catch (error) {
    await child.terminate();
    throw error;
  } finally {
    stopped.removeEventListener('abort', giveUp);
  }
  return { child, exited: child.died.then((how) => `${how}; its log: ${log()}`) };
}

/** Starts a service and resolves when it is ready; rejects with a CommandError that has the end of its log. */
export async function startService(launch: ServiceLaunch, stopped: AbortSignal): Promise<ServiceProcess> {
  const { name, url, folder } = launch;
  mkdirSync(folder, { recursive: true });
  const logFile = openLogFile(launch.logDir, name);
  let run = await startOnce(launch, logFile, stopped);
  return {
    name,
    url,
    logFile,
    get pid() {
      return run.child.isAlive() ? run.child.pid : undefined;
    },
    get exited() {
      return run.exited;
    },
    kill: (signal) => run.child.signalGroup(signal),
    stop: () => run.child.terminate(),
    async restart() {
      await run.child.terminate();
      run = await startOnce(launch, logFile, stopped);
    },
    logs: (count = 50) => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count),
  };
}
