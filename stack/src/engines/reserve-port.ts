import { createServer } from 'node:net';

/** Reserved by this process, until it ends. */
const reserved = new Set<number>();

/**
 * Reserves a port among the stacks of this machine for as long as this process lives, so that two that start at once
 * do not choose the same one. The reservation is a socket of Linux's abstract namespace, which ends with the process however
 * that dies. False when another process has it.
 */
export async function reservePort(port: number): Promise<boolean> {
  if (reserved.has(port)) return true;
  const mark = createServer((client) => client.destroy()).unref();
  const isOurs = await new Promise<boolean>((resolve) => {
    // Where there is no such namespace, nothing can be reserved and the port is taken as it is.
    mark.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
    mark.listen(`\0covalence-port-${port}`, () => resolve(true));
  });
  if (isOurs) reserved.add(port);
  return isOurs;
}

/** Whether this process has reserved the port before. */
export const isReserved = (port: number): boolean => reserved.has(port);
