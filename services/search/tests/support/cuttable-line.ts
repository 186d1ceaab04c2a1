import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to an engine that can be cut and mended, as when it goes away and comes back. */
export interface CuttableLine {
  readonly url: string;
  /** Has a word of what is asked arrive as another one of the same length, until it is mended. */
  garble(word: string, other: string): void;
  /** Ends what is open and refuses what comes. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens a line to an address. */
export async function openLine(target: string): Promise<CuttableLine> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let whole = true;
  let garbled: readonly [word: string, other: string] | undefined;
  const server = createServer((inward) => {
    if (!whole) {
      inward.destroy();
      return;
    }
    const outward = connect(Number(port), hostname);
    for (const socket of [inward, outward]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        inward.destroy();
        outward.destroy();
      });
    }
    inward.on('data', (data) => {
      outward.write(garbled ? Buffer.from(data.toString('latin1').replaceAll(...garbled), 'latin1') : data);
    });
    inward.on('end', () => outward.end());
    outward.pipe(inward);
  });
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    cut() {
      whole = false;
      drop();
    },
    garble: (word, other) => void (garbled = [word, other]),
    mend() {
      whole = true;
      garbled = undefined;
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
