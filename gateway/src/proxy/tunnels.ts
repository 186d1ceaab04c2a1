import { closeCodes } from '@covalence/contract/live-updates';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { createFrameBoundary, type FrameBoundary } from './frame-boundary.ts';

/** The open WebSockets: pairs of a client's and a service's connection. */
export type Tunnels = ReturnType<typeof createTunnels>;

interface Tunnel {
  readonly client: Socket;
  readonly service: Socket;
  readonly frames: FrameBoundary;
}

/** Time limit for a client to close its side, or for a service to complete a frame. */
const graceMs = 1_000;

/** An unmasked close frame with a code. */
const closeFrame = (code: number): Buffer => {
  const frame = Buffer.from([0x88, 0x02, 0, 0]);
  frame.writeUInt16BE(code, 2);
  return frame;
};

/** Resolves between two frames of the service, or after the time limit. */
function wholeFrame({ service, frames }: Tunnel): Promise<void> {
  if (frames.atBoundary) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, graceMs);
  service.on('data', () => {
    // A later listener of this event writes the current bytes to the client.
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
export function createTunnels() {
  const open = new Map<Duplex, Tunnel>();
  let isLeaving = false;
  return {
    /** Adds a pair before its bytes flow; it is removed when either side ends. */
    add(client: Socket, service: Socket): void {
      const frames = createFrameBoundary();
      const tunnel = { client, service, frames };
      open.set(client, tunnel);
      service.on('data', (chunk: Buffer) => frames.push(chunk));
      client.once('close', () => {
        open.delete(client);
        service.destroy();
      });
      // The last bytes, e.g. the service's close frame, must still reach the client.
      service.once('close', () => open.has(client) && client.destroySoon());
      // A pair that was opened during the shutdown, once its client has the response.
      if (isLeaving) setImmediate(() => void sendAway(tunnel));
    },
    has: (client: Duplex) => open.has(client),
    /** Closes every pair with 1001, later ones too, and resolves when all are closed. */
    async goAway(): Promise<void> {
      isLeaving = true;
      await Promise.all([...open.values()].map(sendAway));
    },
  };
}
