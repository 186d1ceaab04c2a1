import { connect, createServer, type Socket } from 'node:net';
import { listenLocally } from './listen-locally.ts';

/** A way to a server that a test can cut, slow down or tear, so that it is away or ill for one client while others use it. */
export interface TcpProxy {
  /** The server's address by way of the proxy. */
  readonly url: string;
  /** Ends every connection, and every new one at once; the port stays ours meanwhile. */
  cut(): void;
  /** Ends every connection as a server does that shuts down in order; new ones are let through. */
  end(): void;
  /** Holds back every piece of what the server sends for so many milliseconds; 0 no longer. */
  slow(milliseconds: number): void;
  /** Gives half of every nth piece of what the server sends, and ends the connection in the middle of it; 0 no longer. */
  tear(every: number): void;
  /** Has a word of what the server is asked arrive as another one of the same length. */
  garble(word: string, other: string): void;
  /** Lets connections through again, whole, as they are and at once. */
  restore(): void;
  close(): Promise<void>;
}

/** Writes pieces in their order, each no sooner than its delay after it came. */
function createLine(to: Socket): { put(chunk: Buffer, delay: number): void; end(): void } {
  const waiting: { chunk: Buffer; due: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const flush = (): void => {
    timer = undefined;
    for (let first = waiting[0]; first && first.due <= performance.now(); first = waiting[0]) {
      waiting.shift();
      if (to.writable) to.write(first.chunk);
    }
    const [next] = waiting;
    if (next) timer = setTimeout(flush, Math.max(0, next.due - performance.now()));
    else if (ended) to.destroySoon();
  };
  to.once('close', () => clearTimeout(timer));
  return {
    put(chunk, delay) {
      waiting.push({ chunk, due: Math.max(performance.now() + delay, waiting.at(-1)?.due ?? 0) });
      if (!timer) flush();
    },
    end() {
      ended = true;
      if (!timer) flush();
    },
  };
}

/** Opens a proxy to a server's address, e.g. amqp://127.0.0.1:5672. */
export async function createTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let passing = true;
  let delay = 0;
  let tearEvery = 0;
  let pieces = 0;
  let garbled: readonly [word: string, other: string] | undefined;
  const isTorn = () => tearEvery > 0 && (pieces += 1) % tearEvery === 0;

  const asked = (chunk: Buffer) =>
    garbled ? Buffer.from(chunk.toString('latin1').replaceAll(...garbled), 'latin1') : chunk;

  const join = (from: Socket, to: Socket, isAnswer: boolean) => {
    const line = createLine(to);
    sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      if (!isAnswer) return line.put(asked(chunk), 0);
      if (!isTorn()) return line.put(chunk, delay);
      line.put(chunk.subarray(0, chunk.length >> 1), delay);
      from.destroy();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      line.end();
    });
  };
  const server = createServer((client) => {
    if (!passing) {
      client.destroy();
      return;
    }
    const behind = connect(Number(port), hostname);
    join(client, behind, false);
    join(behind, client, true);
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${await listenLocally(server)}`;
  const cut = (): void => {
    passing = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    // As addresses are given: a path would be joined to one that ends in a slash.
    url: url.href.replace(/\/$/, ''),
    cut,
    end() {
      for (const socket of sockets) socket.end();
    },
    slow: (milliseconds) => void (delay = milliseconds),
    tear: (every) => void (tearEvery = every),
    garble: (word, other) => void (garbled = [word, other]),
    restore() {
      passing = true;
      delay = 0;
      tearEvery = 0;
      garbled = undefined;
    },
    async close() {
      cut();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
}
