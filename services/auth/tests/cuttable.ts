import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to an engine that can be cut. */
export interface Cuttable {
  /** The engine's address by this way. */
  readonly url: string;
  cut(): void;
  mend(): void;
  close(): void;
}

/** Forwards a port of its own to the engine at `url`, until cut. */
export async function cuttable(url: string): Promise<Cuttable> {
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    const engine = connect(Number(port), hostname);
    for (const socket of [client, engine]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        engine.destroy();
      });
    }
    if (isCut) client.destroy();
    else client.pipe(engine).pipe(client);
  });
  const end = () => {
    for (const socket of open) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(own) }).href,
    cut() {
      isCut = true;
      end();
    },
    mend: () => void (isCut = false),
    close() {
      end();
      server.close();
    },
  };
}
