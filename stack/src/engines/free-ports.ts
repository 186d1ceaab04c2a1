import { CommandError } from '@covalence/runtime/command-error';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { takeLock } from './socket-lock.ts';

/** Below the system's range for outgoing connections, which could take the port of a stopped engine. */
const lowest = 20_000;
const highest = 32_000;
const tries = 200;

/** Ports that this process has reserved until it ends. */
const reserved = new Set<number>();
/** Ports that are requested by number and never chosen. */
const requested = new Set<number>();

/** Excludes a port from the choice, because it was requested by number. */
export const excludePort = (port: number): void => void requested.add(port);

/**
 * Reserves a port among the stacks of this machine, by an abstract socket of Linux that the kernel closes with the
 * process. False when another process has reserved it.
 */
async function reservePort(port: number): Promise<boolean> {
  if (reserved.has(port)) return true;
  const lock = await takeLock(`\0covalence-port-${port}`);
  lock?.unref();
  if (lock) reserved.add(port);
  return lock !== undefined;
}

/** The system's code for why nobody can listen on a port (EADDRINUSE, EACCES …); undefined when it is free. */
export function portProblem(port: number, host: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const probe = createServer();
  probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)));
  return promise;
}

/** Whether a port can be listened on and is not requested by number. */
export async function isFree(port: number): Promise<boolean> {
  return !requested.has(port) && (await portProblem(port, '127.0.0.1')) === undefined;
}

/**
 * Chooses and reserves a free port for each name: the remembered one if it is still free, else another.
 * @throws CommandError when there is none.
 */
export async function choosePorts<Name extends string>(
  names: readonly Name[],
  remembered: Readonly<Partial<Record<Name, number>>>,
): Promise<Record<Name, number>> {
  const chosen = new Map<Name, number>();
  for (const name of names) {
    const before = remembered[name];
    const isStillOurs = before !== undefined && (await isFree(before)) && (await reservePort(before));
    chosen.set(name, isStillOurs ? before : await anyFree());
  }
  return Object.fromEntries(chosen) as Record<Name, number>;
}

async function anyFree(): Promise<number> {
  for (let i = 0; i < tries; i++) {
    const port = randomInt(lowest, highest);
    if (!reserved.has(port) && (await isFree(port)) && (await reservePort(port))) return port;
  }
  throw new CommandError(
    `No free port between ${lowest} and ${highest}: stop programs that listen there and start again`,
  );
}
