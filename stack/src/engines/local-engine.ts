import { errorText } from '@covalence/runtime/error-text';
import { joinHosts } from '@covalence/runtime/host-urls';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '@covalence/runtime/command-error';
import { startTogether, stopAll } from '../start-together.ts';
import type { Engine, EngineKind, EngineNode, ServerPaths, Launch, StartOptions } from './engine.ts';
import { engineFolders, hasRecord, readRecord, rememberProcess, writeRecord } from './engine-record.ts';
import { choosePorts } from './free-ports.ts';
import { startGuarded, type GuardedProcess } from './guarded-process.ts';
import { stopLeftover } from './leftover-engine.ts';
import { lastLogLines, logLength, openLogFile } from './log-file.ts';
import { withLock } from './socket-lock.ts';

/** Servers of one engine start together, so each takes longer. */
const startSecondsPerServer = 90;

const limitOf = ({ nodes = [''] }: EngineKind, { readingSeconds = 0 }: Launch) =>
  startSecondsPerServer * nodes.length + readingSeconds;
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
 * Starts the servers of an engine as child processes with their own ports and data, and waits until they answer.
 * @throws CommandError when one cannot be found or started, with the end of its log.
 */
export async function startLocalEngine(kind: EngineKind, options: StartOptions): Promise<Engine> {
  const launcher = await kind.find(options);
  const shared = resolve(options.dataDir, kind.name);
  mkdirSync(shared, { recursive: true });
  return withLock(shared, options.signal, async () => {
    const places = await placesOf(kind, shared);
    const launches = new Map(
      await Promise.all(places.map(async (place) => [place, await launcher(place, places)] as const)),
    );
    options.progress(`${kind.title}: starting`);
    const nodes = await startTogether([...launches], options.signal, async ([place, launch], signal) =>
      startNode(kind, place, { launch, next: async () => launcher(place, places) }, { ...options, signal }),
    );
    return engineOf(kind, await addressOf(kind, nodes, places), [...launches.values()], nodes);
  });
}

/** The address of all servers; stops them when they do not come together. */
async function addressOf(
  kind: EngineKind,
  nodes: readonly EngineNode[],
  places: readonly ServerPaths[],
): Promise<string> {
  try {
    return (await kind.join?.(nodes, places)) ?? joinHosts(nodes.map(({ url }) => url));
  } catch (error) {
    await stopAll(nodes);
    throw error;
  }
}

/** Ends what is left of an earlier start, and reserves ports. */
async function placesOf(kind: EngineKind, shared: string): Promise<ServerPaths[]> {
  const named = kind.nodes?.map((name) => ({ name, folder: join(shared, name) }));
  const folders = named ?? [{ name: kind.name, folder: shared }];
  requireSameServers(kind, shared, new Set(folders.map(({ folder }) => folder)));
  const places: ServerPaths[] = [];
  for (const { name, folder } of folders) {
    mkdirSync(folder, { recursive: true });
    const record = readRecord(folder);
    await stopLeftover(kind.title, folder, record.running);
    const ports = await choosePorts(kind.ports, record.ports);
    writeRecord(folder, { ports });
    places.push({ name, folder, shared, ports });
  }
  return places;
}

/** Throws a CommandError when the folder has the data of other servers: one instead of a cluster, or a cluster. */
function requireSameServers(kind: EngineKind, shared: string, folders: ReadonlySet<string>): void {
  const others = engineFolders(shared).filter((folder) => hasRecord(folder) && !folders.has(folder));
  if (others.length === 0) return;
  throw new CommandError(
    `The data of ${kind.title} in ${shared} belongs to another number of servers: start with the same --clustered as before, or add --reset`,
  );
}

/** All servers of an engine as one. */
function engineOf(
  kind: EngineKind,
  url: string,
  launches: readonly Launch[],
  nodes: readonly EngineNode[],
): Engine {
  const [first] = nodes;
  return {
    name: kind.name,
    url,
    nodes,
    origin: launches[0]?.origin ?? 'installed',
    hasServiceUsers: kind.hasServiceUsers ?? false,
    get version() {
      return first?.version;
    },
    get pid() {
      return nodes.length === 1 ? first?.pid : undefined;
    },
    get exited() {
      return Promise.race(nodes.map(({ exited }) => exited));
    },
    stop: async () => stopAll(nodes),
    kill(signal) {
      for (const node of nodes) node.kill(signal);
    },
    async restart() {
      await Promise.all(nodes.map(async (node) => node.restart()));
    },
  };
}

/** A restart is not aborted. */
const never = new AbortController().signal;

async function startNode(
  kind: EngineKind,
  { name, folder }: ServerPaths,
  { launch, next }: { readonly launch: Launch; readonly next: () => Promise<Launch> },
  options: StartOptions,
): Promise<EngineNode> {
  let run = await startRun(kind, { name, folder, launch }, options);
  return {
    name,
    url: launch.url,
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
      run = await startRun(kind, { name, folder, launch: await next() }, { ...options, signal: never });
    },
  };
}

async function startRun(
  kind: EngineKind,
  { name, folder, launch }: Pick<ServerPaths, 'name' | 'folder'> & { launch: Launch },
  options: StartOptions,
): Promise<Run> {
  const logFile = openLogFile(resolve(options.logDir), name);
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
      `${kind.title} does not answer after ${limitOf(kind, launch)} s (${error.message}); its last log lines: ${hint}`,
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
  const deadline = Date.now() + limitOf(kind, launch) * 1000;
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
