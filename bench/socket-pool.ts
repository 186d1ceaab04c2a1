import { fork } from 'node:child_process';
import { ask } from './ask.ts';
import type { Arrivals, Order } from './socket-clients.ts';

/** Sockets of one process, which may often open 20,000 files. */
export const perProcess = 15_000;

/** Processes with client sockets. */
export type SocketPool = ReturnType<typeof startSockets>;

/** Starts processes that open so many sockets together. */
export function startSockets(count: number) {
  const processes = Array.from({ length: Math.ceil(count / perProcess) }, () =>
    fork(new URL('socket-clients.ts', import.meta.url)),
  );
  const order = (orderOf: (at: number) => Order) =>
    Promise.all(processes.map((each, at) => ask(each, orderOf(at))));
  return {
    /** Opens a socket for each text of `hello`, at the servers in turn, and sends it the text. */
    async open(urls: readonly string[], hello: readonly string[]): Promise<void> {
      await order((at) => ({
        do: 'open',
        urls,
        hello: hello.filter((_text, index) => index % processes.length === at),
      }));
    },
    /** Resolves when so many frames have arrived, the same number in each process. */
    async expect(frames: number): Promise<Arrivals> {
      const each = frames / processes.length;
      if (!Number.isInteger(each))
        throw new Error(`${processes.length} processes cannot share ${frames} frames`);
      const arrived = await order(() => ({ do: 'expect', frames: each }));
      return (arrived as Arrivals[]).flat();
    },
    async close(): Promise<void> {
      await order(() => ({ do: 'close' }));
    },
    stop: () => processes.forEach((each) => each.kill()),
  };
}
