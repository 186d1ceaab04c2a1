import { listenLocally } from '@covalence/testing/listen-locally';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The moment of a call at which something is made to crash. */
export type Moment = 'before' | 'after';

/** A way to a service that crashes something at a chosen call. */
export interface CrashProxy {
  readonly url: string;
  /** At the next call of `path`: `crash` before the service hears of it, or after it has answered; the caller hears nothing. */
  arm(path: string, moment: Moment, crash: () => void): void;
  /** Whether the armed crash has happened. */
  crashed(): boolean;
  close(): void;
}

interface Trap {
  readonly path: string;
  readonly moment: Moment;
  readonly crash: () => void;
}

/** Sends a request on and gives the whole answer. */
async function forward(from: IncomingMessage, body: Buffer, target: string) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { method, headers, url = '/' } = from;
  request(new URL(url, target), { method, headers }, resolve).on('error', reject).end(body);
  const answer = await promise;
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}

/** Opens a proxy to a service whose address is known only later. */
export async function createCrashProxy(target: () => string): Promise<CrashProxy> {
  let trap: Trap | undefined;
  const springs = (path: string | undefined, moment: Moment): boolean => {
    if (!trap || trap.path !== path || trap.moment !== moment) return false;
    trap.crash();
    trap = undefined;
    return true;
  };
  const handle = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const body = await buffer(from);
    if (springs(from.url, 'before')) return void to.destroy();
    const answer = await forward(from, body, target());
    if (springs(from.url, 'after')) return void to.destroy();
    to.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((from, to) => void handle(from, to).catch(() => to.destroy()));
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    arm: (path, moment, crash) => void (trap = { path, moment, crash }),
    crashed: () => !trap,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
