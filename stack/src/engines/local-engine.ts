import { errorText } from '@covalence/runtime/error-text';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '@covalence/runtime/command-error';
import type { Engine, EngineKind, Launch, StartOptions } from './engine.ts';
import { readRecord, rememberProcess, writeRecord } from './engine-record.ts';
import { choosePorts } from './free-ports.ts';
import { startGuarded, type GuardedProcess } from './guarded-process.ts';
import { stopLeftover } from './leftover-engine.ts';
import { lastLogLines, logLength, openLogFile } from './log-file.ts';
import { withLock } from './socket-lock.ts';

const startSeconds = 90;

const limitOf = ({ readingSeconds = 0 }: Launch) => startSeconds + readingSeconds;
const pingMilliseconds = 3_000;
const pollMilliseconds = 100;

/** A process of an engine. */
interface Run {
  readonly process: GuardedProcess;
  /** Resolves with the reason when the process ends by itself. */
  readonly died: Promise<string>;
  readonly version: string | undefined;
}

/**
 * Starts a server as a child process with its own ports and data, and waits until it answers.
 * @throws CommandError when it cannot be found or started, with the end of its log.
 */
export async function startLocalEngine(kind: EngineKind, options: StartOptions): Promise<Engine> {
  const launcher = await kind.find(options);
  const folder = resolve(options.dataDir, kind.name);
  mkdirSync(folder, { recursive: true });
  const { launch, run: first } = await withLock(folder, options.signal, async () => {
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

/** A restart is not aborted. */
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
    stop: async () => run.process.terminate(),
    kill: (signal) => run.process.signalGroup(signal),
    async restart() {
      await run.process.terminate();
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
  const lastLines = () => lastLogLines(logFile, logStart);
  const child = await startGuarded({ ...launch, folder, logFile });
  rememberProcess(folder, child.pid);
  const died = child.died.then((how) => `${kind.title} ended (${how}); its last log lines: ${lastLines()}`);
  try {
    return { process: child, died, version: await untilHealthy(kind, launch, died, options.signal) };
  } catch (error) {
    const hint = lastLines();
    await child.terminate();
    if (!(error instanceof NotHealthy)) throw error;
    throw new CommandError(
      `${kind.title} does not answer after ${limitOf(launch)} s (${error.message}); its last log lines: ${hint}`,
    );
  }
}

class NotHealthy extends Error {}

/**
 * Waits until the server answers; resolves with its version.
 * @throws CommandError when it ends, NotHealthy when it takes too long, or the reason of the signal.
 */
async function untilHealthy(
  kind: EngineKind,
  launch: Launch,
  died: Promise<string>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const deadline = Date.now() + limitOf(launch) * 1000;
  const death = died.then((reason) => {
    throw new CommandError(reason);
  });
  // After the start nothing awaits this promise.
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

/** Rejects when a ping takes longer than 3 s. */
export async function within<T>(work: Promise<T>): Promise<T> {
  const late = delay(pingMilliseconds, undefined, { ref: false }).then(() => {
    throw new Error(`no answer in ${pingMilliseconds / 1000} s`);
  });
  return Promise.race([work, late]);
}
