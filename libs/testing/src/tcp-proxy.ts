import { connect, createServer, type Socket } from 'node:net';
import { listenAt } from './listen-locally.ts';

/** A proxy to a server. A test can cut, slow down or corrupt its connections without affecting other clients. */
export type TcpProxy = Awaited<ReturnType<typeof createTcpProxy>>;

const addressOf = ({ remoteAddress = '' }: Socket): string => remoteAddress;

/** Writes chunks in order, each after its delay. */
function createLine(to: Socket): {
  put(chunk: Buffer, delay: number): void;
  end(): void;
  isHolding(): boolean;
} {
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
    isHolding: () => waiting.length > 0,
  };
}

const everyone = (): boolean => true;
const nobody = (): boolean => false;

/** Opens a proxy to a server's address, e.g. amqp://127.0.0.1:5672, at a given port or a free one. */
export async function createTcpProxy(target: string, port = 0) {
  let targets: readonly string[] = [target];
  let turn = 0;
  /** With the addresses from which the clients connect. */
  const sockets = new Map<Socket, string>();
  const lines = new Set<ReturnType<typeof createLine>>();
  let isCut: (client: string) => boolean = nobody;
  let delay = 0;
  let tearEvery = 0;
  let chunks = 0;
  let garbled: readonly [word: string, other: string] | undefined;
  const isTorn = () => tearEvery > 0 && (chunks += 1) % tearEvery === 0;

  const request = (chunk: Buffer) =>
    garbled ? Buffer.from(chunk.toString('latin1').replaceAll(...garbled), 'latin1') : chunk;

  const join = (from: Socket, to: Socket, isAnswer: boolean) => {
    const line = createLine(to);
    lines.add(line);
    sockets.set(from, addressOf(isAnswer ? to : from));
    from.on('data', (chunk: Buffer) => {
      if (!isAnswer) return line.put(request(chunk), 0);
      if (!isTorn()) return line.put(chunk, delay);
      line.put(chunk.subarray(0, chunk.length >> 1), delay);
      from.destroy();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      lines.delete(line);
      line.end();
    });
  };
  /** Connects to the server whose turn it is, or to the next one when it refuses. */
  const pass = (client: Socket, tries: number): void => {
    turn += 1;
    const next = targets[turn % targets.length];
    if (isCut(addressOf(client)) || next === undefined || !tries) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(next);
    const behind = connect(Number(port), hostname);
    const refused = () => pass(client, tries - 1);
    behind.once('error', refused);
    behind.once('connect', () => {
      behind.off('error', refused);
      // Meanwhile the client may be gone, or the proxy cut.
      if (client.destroyed || isCut(addressOf(client))) {
        client.destroy();
        behind.destroy();
        return;
      }
      join(client, behind, false);
      join(behind, client, true);
    });
  };
  const server = createServer((client) => {
    // Until it is joined.
    client.on('error', () => undefined);
    pass(client, targets.length);
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${await listenAt(server, port)}`;
  /** Closes all connections and every new one, or only those from some addresses; the port stays in use. */
  const cut = (isFrom: typeof isCut = everyone): void => {
    isCut = isFrom;
    for (const [socket, client] of sockets) if (isCut(client)) socket.destroy();
  };
  return {
    /** The address of the proxy, with the scheme and path of the server; without a trailing slash, as callers append paths. */
    url: url.href.replace(/\/$/, ''),
    cut,
    /** Closes all connections gracefully; new ones pass. */
    end(): void {
      for (const socket of sockets.keys()) socket.end();
    },
    /** New connections go to these servers, in turn; those that refuse are skipped. */
    lead: (...servers: readonly string[]) => void (targets = servers),
    /** Whether something waits for its delay. */
    isHolding: () => [...lines].some((line) => line.isHolding()),
    /** Delays every chunk from the server; 0 stops it. */
    slow: (milliseconds: number) => void (delay = milliseconds),
    /** Sends half of every nth chunk from the server, then closes the connection; 0 stops it. */
    tear: (every: number) => void (tearEvery = every),
    /** Replaces a word in requests with another of the same length. */
    garble: (word: string, other: string) => void (garbled = [word, other]),
    /** Undoes all of the above. */
    restore(): void {
      isCut = nobody;
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
