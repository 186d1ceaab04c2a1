import { CommandError } from '@covalence/runtime/command-error';
import { jsonText } from '@covalence/runtime/json-text';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { lockAddress, takeLock } from '../engines/socket-lock.ts';

const holderText = jsonText.pipe(
  z.object({ pid: z.int(), stopping: z.boolean(), url: z.string().optional() }),
);
/** The process that holds a data folder. */
type Holder = z.output<typeof holderText>;

/** The lock of this process on a data folder. */
export interface Lock {
  /** Tells waiting processes that the lock is released soon. */
  stopping(): void;
  release(): Promise<void>;
}

/** Time for a run whose starter was killed to notice it and to report that it is stopping. */
const noticeMs = 2_000;
const stopMs = 30_000;
/** A holder that leaves this many requests unanswered, 1 s each, is suspended. */
const mostUnanswered = 3;

/** Asks the holder of the folder; undefined when it does not answer. */
function askHolder(address: string): Promise<Holder | undefined> {
  const { promise, resolve } = Promise.withResolvers<Holder | undefined>();
  let text = '';
  const socket = connect(address);
  socket.setTimeout(1_000, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => resolve(undefined));
  socket.on('close', () => resolve(holderText.safeParse(text).data));
  return promise;
}

/**
 * Locks the data folder by an abstract socket of Linux, which the kernel closes with the process. Waits for a holder
 * that is stopping; throws a CommandError when another one runs or is suspended.
 */
export async function lockFolder(path: string, url: string, stopped: AbortSignal): Promise<Lock> {
  const address = lockAddress('data', path);
  const own: Holder = { pid: process.pid, stopping: false, url };
  const answer = (client: Socket) => {
    client.on('error', () => {});
    client.end(JSON.stringify(own));
  };
  const begun = Date.now();
  let unanswered = 0;
  let server = await takeLock(address, answer);
  while (!server) {
    const holder = await askHolder(address);
    unanswered = holder ? 0 : unanswered + 1;
    if (unanswered === mostUnanswered) {
      throw new CommandError(
        `Another start in ${path} does not respond. If Ctrl-Z has suspended it, continue it with fg and stop it with Ctrl-C.`,
      );
    }
    const limitMs = holder?.stopping ? stopMs : noticeMs;
    if (holder && Date.now() - begun > limitMs) {
      throw new CommandError(
        `Already running in this folder: process ${holder.pid}, ${holder.url ?? ''}. Stop it first, or use another checkout.`,
      );
    }
    await wait(100, undefined, { signal: stopped });
    server = await takeLock(address, answer);
  }
  const taken = server;
  return {
    stopping: () => void (own.stopping = true),
    release: () => new Promise((resolve) => void taken.close(() => resolve())),
  };
}
