import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const ask = 'GET /jwks HTTP/1.1\r\nHost: bench\r\n\r\n';

/**
 * Connections that each asked once and now stay, from several addresses of this machine. `end` closes them; it throws when
 * some did not stay.
 */
export async function openIdleClients(url: string, count: number): Promise<{ end(): void }> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const open = async (index: number): Promise<void> => {
    const localAddress = `127.0.1.${1 + (index % 20)}`;
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    sockets.push(socket);
    // What is wrong with one shows when it is counted.
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    socket.write(ask);
    await once(socket, 'data');
    socket.resume();
  };
  // In portions, or the queue of new connections overflows.
  for (let at = 0; at < count; at += 200) {
    await Promise.all(Array.from({ length: Math.min(200, count - at) }, (_one, index) => open(at + index)));
  }
  return {
    end() {
      const gone = sockets.filter((socket) => socket.destroyed).length;
      for (const socket of sockets) socket.destroy();
      if (gone) throw new Error(`${gone} of ${count} idle clients were sent away`);
    },
  };
}
