import { listenLocally } from '@covalence/testing/listen-locally';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** When a crash happens during a call. */
export type Moment = 'before' | 'after';

/** A proxy to a service that triggers a crash at a chosen call. */
export type CrashProxy = Awaited<ReturnType<typeof createCrashProxy>>;

/** Forwards a request and returns the complete answer. */
async function forward(from: IncomingMessage, body: Buffer, target: string) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { method, headers, url = '/' } = from;
  request(new URL(url, target), { method, headers }, resolve).on('error', reject).end(body);
  const answer = await promise;
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}

/** Opens a proxy to a service whose address is set later. */
export async function createCrashProxy(target: () => string) {
  let trap: { path: string; moment: Moment; crash: () => void } | undefined;
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
    /**
     * Arms a crash at the next call of `path`: before the service receives it, or after its answer. The caller
     * gets no answer.
     */
    arm: (path: string, moment: Moment, crash: () => void) => void (trap = { path, moment, crash }),
    /** Whether the armed crash has happened. */
    crashed: () => !trap,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
