import { randomInt } from 'node:crypto';
import { portProblem } from '../processes/port-problem.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { isPromised, isReserved, reservePort } from './reserve-port.ts';

/**
 * Below the range from which the system takes ports for outgoing connections: there a client that reconnects to a
 * stopped engine could be given the engine's own port, or meet itself on it.
 */
const lowest = 20_000;
const highest = 32_000;
const tries = 200;

/** Whether nothing on this machine listens on the port, or is to. */
export async function isFree(port: number): Promise<boolean> {
  return !isPromised(port) && (await portProblem(port, '127.0.0.1')) === undefined;
}

/**
 * One free port for each name, reserved for this process: the remembered one where it is still free, else another.
 * @throws CommandError when none can be found.
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
    if (!isReserved(port) && (await isFree(port)) && (await reservePort(port))) return port;
  }
  throw new CommandError(
    `No free port between ${lowest} and ${highest}: end programs that listen there and start again`,
  );
}
