import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../checkout.ts';
import { rememberProcess } from '../engines/engine-record.ts';
import { startGuarded, type GuardedProcess } from '../engines/guarded-process.ts';
import { logLength, openLogFile } from '../engines/log-file.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { lastMessages } from './last-messages.ts';
import { reachesEverything } from './reaches-everything.ts';
import { parts, type ServiceName } from './service-name.ts';

/** A running part of the system: the gateway or a service. */
export interface ServiceProcess {
  readonly name: ServiceName;
  /** Its address for the other parts. */
  readonly url: string;
  readonly logFile: string;
  /** Its process; absent while none runs. */
  readonly pid?: number;
  /** Resolves with one line when it ends without having been asked to. After restart() it is a new promise. */
  readonly exited: Promise<string>;
  /** Ends it with SIGTERM; forces it after 10 s. */
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Starts it again on the same ports; resolves when it is ready. */
  restart(): Promise<void>;
  /** The last lines of its log. */
  logs(count?: number): string[];
}

/**
 * How Node.js runs every part, here as in its image: V8 may double what lives long before it collects the whole heap. By itself it
 * waits for a tenth, or for 8 MB of what was read from sockets, which is a second of searches.
 */
export const heapOptions = ['--heap-growing-percent=100'] as const;

/** How to start a part. */
export interface ServiceLaunch {
  readonly name: ServiceName;
  readonly environment: Record<string, string | undefined>;
  /** Remembers the process, so that the next start can end what a killed one left. */
  readonly folder: string;
  readonly logDir: string;
  readonly url: string;
  readonly managementPort: number;
}

const readyLimitMs = 60_000;

/** Polls the part's readiness. Rejects with the log's last lines when it ends first or takes over a minute. */
async function untilReady(launch: ServiceLaunch, child: GuardedProcess, log: () => string): Promise<void> {
  const { name, managementPort } = launch;
  // A part is ready without some of the engines; what is started here has all of them.
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

/** One process of a part. */
interface Run {
  readonly child: GuardedProcess;
  /** Resolves when the process ends by itself. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

function watch(child: GuardedProcess, log: () => string): Run {
  const { promise: exited, resolve } = Promise.withResolvers<string>();
  let stopping = false;
  child.ended.then((how) => !stopping && resolve(`${how}; its log: ${log()}`)).catch(() => undefined);
  return {
    child,
    exited,
    stop() {
      stopping = true;
      return child.terminate();
    },
  };
}

/** Starts one process of a part and waits until it is ready; a failed start leaves no process. */
async function startOnce(launch: ServiceLaunch, logFile: string, stopped: AbortSignal): Promise<Run> {
  stopped.throwIfAborted();
  const logStart = logLength(logFile);
  const log = () => lastMessages(logFile, logStart);
  const child = await startGuarded({
    command: process.execPath,
    args: [...heapOptions, '--enable-source-maps', join(root, parts[launch.name].folder, 'dist/main.js')],
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
  return watch(child, log);
}

/** Starts a part and resolves when it is ready; rejects with a CommandError that holds what it last said. */
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
    stop: () => run.stop(),
    async restart() {
      await run.stop();
      run = await startOnce(launch, logFile, stopped);
    },
    logs: (count = 50) => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-count),
  };
}
