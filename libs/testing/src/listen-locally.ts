import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a port of 127.0.0.1; resolves with it. */
export async function listenAt(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Listens on a free port of 127.0.0.1; resolves with it. */
export const listenLocally = (server: Server): Promise<number> => listenAt(server, 0);
