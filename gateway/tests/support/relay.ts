import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to Redis that a test can block: connections stay open and nothing passes any more. */
export interface Relay {
  readonly url: string;
  hang(): void;
  close(): void;
}

/** Starts a relay to a `redis://` address. */
export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const store = connect(Number(port), hostname);
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    client.pipe(store).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hang() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
