import { until } from '@covalence/testing/until';
import { once } from 'node:events';
import { WebSocket } from 'ws';

/** The default debugger port of Node.js after SIGUSR1. */
const inspectorPort = 9229;

const debuggerUrl = async (port: number): Promise<string | undefined> => {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
  const targets = answer && ((await answer.json()) as { webSocketDebuggerUrl?: string }[]);
  return targets?.[0]?.webSocketDebuggerUrl;
};

interface Reply {
  readonly id?: number;
  readonly result?: {
    readonly usedSize?: number;
    readonly backingStorageSize?: number;
    readonly result?: { readonly value?: unknown };
  };
}

/**
 * Bytes on the heap and in buffers of a Node.js process after a full collection. It opens the debugger of the
 * process; one at a time, because all use the same port. Rejects if the port belongs to another process.
 */
export async function heapAfterCollection(pid: number, port = inspectorPort): Promise<number> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await until(`the debugger of ${pid}`, () => debuggerUrl(port)));
  await once(socket, 'open');
  let last = 0;
  const ask = async (method: string, params: object = {}): Promise<Reply['result']> => {
    const id = (last += 1);
    const { promise, resolve } = Promise.withResolvers<Reply['result']>();
    const listen = (data: Buffer) => {
      const reply = JSON.parse(data.toString('utf8')) as Reply;
      if (reply.id !== id) return;
      socket.off('message', listen);
      resolve(reply.result);
    };
    socket.on('message', listen);
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  };
  try {
    const asked = await ask('Runtime.evaluate', { expression: 'process.pid' });
    if (asked?.result?.value !== pid)
      throw new Error(`port ${port} is the debugger's of another process than ${pid}`);
    await ask('HeapProfiler.collectGarbage');
    const usage = await ask('Runtime.getHeapUsage');
    // The call that closes the debugger is never answered.
    socket.send(
      JSON.stringify({ id: 0, method: 'Runtime.evaluate', params: { expression: 'process._debugEnd()' } }),
    );
    await once(socket, 'close');
    const { usedSize, backingStorageSize } = usage ?? {};
    if (usedSize === undefined || backingStorageSize === undefined)
      throw new Error(`the debugger of ${pid} does not report what it keeps`);
    return usedSize + backingStorageSize;
  } finally {
    socket.terminate();
  }
}
