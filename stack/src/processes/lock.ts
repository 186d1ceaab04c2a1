import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode } from '../engines/system-error.ts';
import { CommandError } from '@covalence/runtime/command-error';

const holderSchema = z.object({
  pid: z.int(),
  stopping: z.boolean(),
  url: z.string().optional(),
});
/** Who holds a data folder, as it tells others. */
type Holder = z.infer<typeof holderSchema>;

/** This process holds the data folder, until it ends however it ends. */
export interface Lock {
  /** Tells others that the folder is free soon. */
  stopping(): void;
  release(): Promise<void>;
}

/** Long enough for a run whose starter was just killed to notice that and say that it is stopping. */
const noticeMs = 2_000;
const stopMs = 30_000;
/** Questions in a row that a holder leaves open, a second each: one that has just ended leaves one open at most. */
const mostUnanswered = 3;

const addressOf = (path: string) =>
  `\0covalence-data-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;

/** Undefined when the holder ended in the middle of its answer. */
function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Asks who holds the folder; undefined when nobody answers (any more). */
function askHolder(address: string): Promise<Holder | undefined> {
  const { promise, resolve } = Promise.withResolvers<Holder | undefined>();
  let text = '';
  const socket = connect(address);
  socket.setTimeout(1_000, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => resolve(undefined));
  socket.on('close', () => resolve(parseHolder(text)));
  return promise;
}

/** Listens on the address; false when another process does. */
async function listen(server: Server, address: string): Promise<boolean> {
  server.listen(address);
  try {
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') return false;
    throw error;
  }
}

/**
 * Takes the data folder for this process: a socket in Linux's abstract namespace, which ends with the process however that
 * dies. Waits for a holder that is stopping, until `stopped`; throws a CommandError while another one runs, also one that was
 * suspended and answers nobody.
 */
export async function lockFolder(path: string, url: string, stopped: AbortSignal): Promise<Lock> {
  const address = addressOf(path);
  const own: Holder = { pid: process.pid, stopping: false, url };
  const server = createServer((client: Socket) => {
    client.on('error', () => {});
    client.end(JSON.stringify(own));
  });
  const begun = Date.now();
  let unanswered = 0;
  while (!(await listen(server, address))) {
    const holder = await askHolder(address);
    unanswered = holder ? 0 : unanswered + 1;
    if (unanswered === mostUnanswered) {
      throw new CommandError(
        `Another start in this folder does not answer (${path}). Where Ctrl-Z has suspended it, fg brings it back and Ctrl-C stops it.`,
      );
    }
    const patience = holder?.stopping ? stopMs : noticeMs;
    if (holder && Date.now() - begun > patience) {
      throw new CommandError(
        `Already running in this folder: process ${holder.pid}, ${holder.url ?? ''}. Stop it first, or start from another checkout.`,
      );
    }
    await wait(100, undefined, { signal: stopped });
  }
  return {
    stopping: () => void (own.stopping = true),
    release: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
