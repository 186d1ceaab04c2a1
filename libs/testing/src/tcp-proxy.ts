import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a store that a test can cut, so that the store is away for one client while others use it. */
export interface TcpProxy {
  /** The store's address by way of the proxy. */
  readonly url: string;
  /** Ends every connection, and every new one at once; the port stays ours meanwhile. */
  cut(): void;
  /** Lets connections through again. */
  restore(): void;
  close(): Promise<void>;
}

const listen = (server: Server): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  return promise;
};

/** Opens a proxy to a store's address, e.g. amqp://127.0.0.1:5672. */
export async function createTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  };
  let passing = true;
  const server = createServer((client) => {
    if (!passing) {
      client.destroy();
      return;
    }
    const store = connect(Number(port), hostname);
    keep(client, store);
    keep(store, client);
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${await listen(server)}`;
  const cut = (): void => {
    passing = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut,
    restore: () => void (passing = true),
    async close() {
      cut();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
}
