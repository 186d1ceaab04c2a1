import { closeCodes } from '@covalence/contract/live-updates';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { createFrameBoundary, type FrameBoundary } from './frame-boundary.ts';

/** The open WebSockets: pairs of connections, a client's and a service's. */
export interface Tunnels {
  /** Adds a pair before its bytes begin to flow; it leaves by itself when either side ends. */
  add(client: Socket, service: Socket): void;
  /** Whether the client's connection is part of a pair. */
  has(client: Duplex): boolean;
  /** Tells every client 1001 and resolves when all are gone; a pair that comes later is told as it comes. */
  goAway(): Promise<void>;
}

interface Tunnel {
  readonly client: Socket;
  readonly service: Socket;
  readonly frames: FrameBoundary;
}

/** How long a client may take to end its side, or a service to finish a frame that is half sent. */
const graceMs = 1_000;

/** A close frame with a code, as a server sends it: not masked. */
const closeFrame = (code: number): Buffer => {
  const frame = Buffer.from([0x88, 0x02, 0, 0]);
  frame.writeUInt16BE(code, 2);
  return frame;
};

/** Resolves when the service's bytes end with a whole frame, or after the grace. */
function wholeFrame({ service, frames }: Tunnel): Promise<void> {
  if (frames.atBoundary) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, graceMs);
  service.on('data', () => {
    // The bytes at hand are written to the client by a later listener of this same event.
    if (frames.atBoundary) queueMicrotask(resolve);
  });
  return promise.finally(() => clearTimeout(timer));
}

async function sendAway(tunnel: Tunnel): Promise<void> {
  const { client, service, frames } = tunnel;
  const gone = Promise.withResolvers<void>();
  client.once('close', () => gone.resolve());
  await wholeFrame(tunnel);
  service.unpipe(client);
  client.unpipe(service);
  client.resume();
  service.destroy();
  if (frames.atBoundary) client.end(closeFrame(closeCodes.goingAway));
  else client.destroy();
  const timer = setTimeout(() => client.destroy(), graceMs);
  await gone.promise;
  clearTimeout(timer);
}

/** Creates the empty set. */
export function createTunnels(): Tunnels {
  const open = new Map<Duplex, Tunnel>();
  let isLeaving = false;
  return {
    add(client, service) {
      const frames = createFrameBoundary();
      const tunnel = { client, service, frames };
      open.set(client, tunnel);
      service.on('data', (chunk: Buffer) => frames.push(chunk));
      client.once('close', () => {
        open.delete(client);
        service.destroy();
      });
      // What the service sent last, its close frame above all, still has to reach the client.
      service.once('close', () => open.has(client) && client.destroySoon());
      // One that was asked for before, as soon as its client has the answer.
      if (isLeaving) setImmediate(() => void sendAway(tunnel));
    },
    has: (client) => open.has(client),
    async goAway() {
      isLeaving = true;
      await Promise.all([...open.values()].map(sendAway));
    },
  };
}
