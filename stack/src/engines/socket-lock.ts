import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../system-error.ts';

const pollMilliseconds = 100;

/** The address of a lock: a socket in Linux's abstract namespace, which the kernel closes with its process. */
export const lockAddress = (kind: string, name: string): string =>
  `\0covalence-${kind}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;

/** Takes a lock; undefined when it is held, also by this process. Closing the server releases it. */
export async function takeLock(
  address: string,
  onClient: (client: Socket) => void = (client) => client.destroy(),
): Promise<Server | undefined> {
  const server = createServer(onClient).listen(address);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return undefined;
    throw error;
  }
}

/** Runs work while no other process, and no other call in this one, runs work under the same name. */
export async function withLock<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const address = lockAddress('work', name);
  let lock = await takeLock(address);
  while (!lock) {
    await delay(pollMilliseconds, undefined, { signal });
    lock = await takeLock(address);
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}
