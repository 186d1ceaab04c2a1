import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** An address that neither takes a connection nor refuses it, as that of a container or machine that is gone. */
export interface Unreachable {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens and never takes what is offered; two connections fill the queue of the system, which leaves the next unanswered. */
const idler = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** Starts one; `close` lets the address go. */
export async function startUnreachable(): Promise<Unreachable> {
  const worker = new Worker(idler, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const waiting: Socket[] = [];
  for (const _place of [1, 2]) {
    const socket = connect(port, '127.0.0.1');
    waiting.push(socket);
    await once(socket, 'connect');
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}
