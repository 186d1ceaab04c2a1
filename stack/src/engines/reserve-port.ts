import { createServer } from 'node:net';

/** Reserved by this process, until it ends. */
const reserved = new Set<number>();
/** Asked for by number, so that nobody else is given them. */
const promised = new Set<number>();

/**
 * Reserves a port among the stacks of this machine for as long as this process lives, so that two that start at once
 * do not choose the same one. The reservation is a socket of Linux's abstract namespace, which ends with the process however
 * that dies. False when another process has it.
 */
export async function reservePort(port: number): Promise<boolean> {
  if (reserved.has(port)) return true;
  const mark = createServer((client) => client.destroy()).unref();
  const isOurs = await new Promise<boolean>((resolve) => {
    mark.once('error', () => resolve(false));
    mark.listen(`\0covalence-port-${port}`, () => resolve(true));
  });
  if (isOurs) reserved.add(port);
  return isOurs;
}

/** Keeps a port that was asked for by number for whoever will listen there: nothing else of this process is given it. */
export const promisePort = (port: number): void => void promised.add(port);

/** Whether the port was promised. */
export const isPromised = (port: number): boolean => promised.has(port);

/** Whether this process has reserved the port before. */
export const isReserved = (port: number): boolean => reserved.has(port);
