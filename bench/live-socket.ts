import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A live-updates socket of a benchmark. */
export interface BenchSocket {
  /** When, by performance.now(), the next frame of a type that names a member arrives. */
  next(type: string, profileid: number): Promise<number>;
  close(): void;
}

interface Frame {
  readonly type: string;
  readonly data: { readonly profileid?: number };
}

/** A frame that does not come is an error, not a wait without end. */
const longestWait = 10_000;

/** Opens /ws/updates and waits for `ready`. */
export async function openSocket(base: string, accessToken: string): Promise<BenchSocket> {
  const socket = new WebSocket(new URL('/ws/updates', base.replace(/^http/, 'ws')));
  const waiting = new Map<string, (at: number) => void>();
  await once(socket, 'open');
  socket.on('message', (message: Buffer) => {
    const at = performance.now();
    const { type, data } = JSON.parse(message.toString('utf8')) as Frame;
    const key = `${type} ${data.profileid ?? ''}`;
    waiting.get(key)?.(at);
    waiting.delete(key);
  });
  const next: BenchSocket['next'] = (type, profileid) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const limit = setTimeout(() => reject(new Error(`no ${type} frame came`)), longestWait);
    waiting.set(`${type} ${profileid || ''}`, (at) => {
      clearTimeout(limit);
      resolve(at);
    });
    return promise;
  };
  const ready = next('ready', 0);
  socket.send(accessToken);
  await ready;
  return { next, close: () => socket.close() };
}
