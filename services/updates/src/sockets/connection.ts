import { closeCodes } from '@covalence/contract/live-updates';
import type { WebSocket } from 'ws';
import type { BarReason } from '../live/channel-store.ts';

/** Reasons that a socket is closed for (D41). */
export type CloseReason = keyof typeof closeCodes;

/** What a socket is closed with when its member's tokens are refused (D29, D41). */
export const barReasons = { deactivated: 'deactivated', ended: 'badToken' } as const satisfies Record<
  BarReason,
  CloseReason
>;

/** One client's socket with what its protocol needs: texts out, a bounded buffer, a heartbeat, an end for certain. */
export interface Connection {
  readonly address: string;
  /** Sends a text; a reader that is too slow is dropped with 1013. */
  send(text: string): void;
  /** Begins to close; cuts the connection when the client does not answer. Nothing is sent any more. */
  close(reason: CloseReason): void;
  /** Pings; a client that did not answer the last ping is cut off. */
  beat(): void;
  readonly closing: boolean;
  /** Resolves when the connection is gone. */
  readonly closed: Promise<void>;
}

/** Limits of one connection. */
export interface ConnectionLimits {
  readonly closeWaitMs: number;
  readonly maxBufferedBytes: number;
}

/** Wraps an accepted WebSocket. */
export function createConnection(socket: WebSocket, address: string, limits: ConnectionLimits): Connection {
  let alive = true;
  let closing = false;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('pong', () => (alive = true));
  // Also a frame over the limit, which the library itself answers with 1009.
  socket.on('error', () => undefined);
  socket.once('close', () => {
    closing = true;
    resolve();
  });

  const close = (reason: CloseReason) => {
    if (closing) return;
    closing = true;
    socket.close(closeCodes[reason]);
    const timer = setTimeout(() => socket.terminate(), limits.closeWaitMs);
    void closed.then(() => clearTimeout(timer));
  };

  return {
    address,
    closed,
    close,
    get closing() {
      return closing;
    },
    send(text) {
      if (closing) return;
      if (socket.bufferedAmount > limits.maxBufferedBytes) close('tryAgain');
      else socket.send(text);
    },
    beat() {
      if (!alive) socket.terminate();
      else if (!closing) {
        alive = false;
        socket.ping();
      }
    },
  };
}
