import { errorText } from '@covalence/runtime/error-text';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '@covalence/runtime/command-error';
import type { Engine, EngineKind, Launch, StartOptions } from './engine.ts';
import { readRecord, rememberProcess, writeRecord } from './engine-record.ts';
import { withLock } from './file-lock.ts';
import { choosePorts } from './free-ports.ts';
import { startGuarded, type GuardedProcess } from './guarded-process.ts';
import { stopLeftover } from './leftover-engine.ts';
import { lastLogLines, logLength, openLogFile } from './log-file.ts';

const startSeconds = 90;

/** How long a start may take: what is read first comes on top. */
const limitOf = ({ readingSeconds = 0 }: Launch) => startSeconds + readingSeconds;
const pingMilliseconds = 3_000;
const pollMilliseconds = 100;

interface Run {
  readonly process: GuardedProcess;
  /** Resolves with the reason when the process ends without having been asked to. */
  readonly died: Promise<string>;
  version: string | undefined;
  stop(): Promise<void>;
}

/**
 * Starts a server as a child of this process, on ports and data of its own, and waits until it answers.
 * @throws CommandError when it cannot be found or started, with its last log lines.
 */
export async function startLocalEngine(kind: EngineKind, options: StartOptions): Promise<Engine> {
  const launcher = await kind.find(options);
  const folder = resolve(options.dataDir, kind.name);
  mkdirSync(folder, { recursive: true });
  const { launch, run: first } = await withLock(join(folder, 'start.lock'), options.signal, async () => {
    const record = readRecord(folder);
    await stopLeftover(kind.title, folder, record.running);
    const ports = await choosePorts(kind.ports, record.ports);
    writeRecord(folder, { ports });
    const launch = await launcher({ folder, ports });
    options.progress(`${kind.title}: starting`);
    return { launch, run: await startRun(kind, launch, folder, options) };
  });
  return asEngine(kind, launch, first, () => startRun(kind, launch, folder, { ...options, signal: never }));
}

/** The end of a server that was asked to end is no news. */
const untold = new Promise<never>(() => undefined);

/** A restart is not ended early by what happens to other engines. */
const never = new AbortController().signal;

function asEngine(kind: EngineKind, launch: Launch, first: Run, startAgain: () => Promise<Run>): Engine {
  let run = first;
  return {
    name: kind.name,
    url: launch.url,
    origin: launch.origin,
    hasServiceUsers: kind.hasServiceUsers ?? false,
    get version() {
      return run.version;
    },
    get pid() {
      return run.process.isAlive() ? run.process.pid : undefined;
    },
    get exited() {
      return run.died;
    },
    stop: async () => run.stop(),
    kill: (signal) => run.process.signalGroup(signal),
    async restart() {
      await run.stop();
      run = await startAgain();
    },
  };
}

async function startRun(
  kind: EngineKind,
  launch: Launch,
  folder: string,
  options: StartOptions,
): Promise<Run> {
  const logFile = openLogFile(resolve(options.logDir), kind.name);
  const logStart = logLength(logFile);
  const child = await startGuarded({ ...launch, folder, logFile });
  rememberProcess(folder, child.pid);

  let stopping = false;
  const reason = (how: string): string =>
    `${kind.title} ended (${how}); its last log lines: ${lastLogLines(logFile, logStart)}`;
  const died = child.ended.then((how) => (stopping ? untold : reason(how)));
  const run: Run = {
    process: child,
    died,
    version: undefined,
    async stop() {
      stopping = true;
      await child.terminate();
    },
  };
  try {
    run.version = await untilHealthy(kind, launch, run, options.signal);
    return run;
  } catch (error) {
    const hint = lastLogLines(logFile, logStart);
    await run.stop();
    if (!(error instanceof NotHealthy)) throw error;
    throw new CommandError(
      `${kind.title} does not answer after ${limitOf(launch)} s (${error.message}); its last log lines: ${hint}`,
    );
  }
}

class NotHealthy extends Error {}

/**
 * Waits until the server answers in its own protocol; resolves with its version.
 * @throws CommandError when it dies, NotHealthy when it takes too long, the signal's reason when that comes first.
 */
async function untilHealthy(
  kind: EngineKind,
  launch: Launch,
  run: Run,
  signal: AbortSignal,
): Promise<string | undefined> {
  const deadline = Date.now() + limitOf(launch) * 1000;
  const death = run.died.then((reason) => {
    throw new CommandError(reason);
  });
  // Once the server is up, its death is told by `exited` and this one has no listener any more.
  death.catch(() => undefined);
  let last = 'the port is closed';
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    await Promise.race([death, delay(pollMilliseconds)]);
    if (!(await Promise.race([death, accepts(launch.port)]))) continue;
    try {
      return await Promise.race([death, within(kind.ping(launch.url))]);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      last = errorText(error);
    }
  }
  throw new NotHealthy(last);
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (open: boolean): void => {
      socket.destroy();
      answer(open);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** Bounds one ping. */
export async function within<T>(work: Promise<T>): Promise<T> {
  const late = delay(pingMilliseconds, undefined, { ref: false }).then(() => {
    throw new Error(`no answer in ${pingMilliseconds / 1000} s`);
  });
  return Promise.race([work, late]);
}
