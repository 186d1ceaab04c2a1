import { closeCodes } from '@covalence/contract/live-updates';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { LockoutReason } from '../live/channel-store.ts';
import type { Feed } from '../live/feed.ts';
import type { Position } from '../live/position.ts';

/** Why a socket is closed. */
export type CloseReason = keyof typeof closeCodes;

/** The close reason for each lockout. */
export const lockoutCloseReasons = {
  deactivated: 'deactivated',
  ended: 'badToken',
} as const satisfies Record<LockoutReason, CloseReason>;

/** Frames are JSON in UTF-8 bytes. */
const asText = { binary: false };

/** Limits of one connection. */
export interface ConnectionLimits {
  readonly closeWaitMs: number;
  readonly maxBufferedBytes: number;
}

/**
 * One client's socket, with a bounded buffer and a heartbeat. A class without timers, because a process has ten thousand: closures and
 * timers for each would dominate their memory.
 */
export class Connection {
  readonly address: string;
  readonly #socket: WebSocket;
  readonly #limits: ConnectionLimits;
  #alive = true;
  #closing = false;
  #due = Infinity;
  #dueReason: CloseReason = 'noToken';
  #feed: Pick<Feed, 'reached'> | undefined;
  /** Position of the feed at the last ping, and at the last one that the client answered. */
  #pinged: Position | undefined;
  #answered: Position | undefined;
  #lost = false;

  constructor(socket: WebSocket, address: string, limits: ConnectionLimits) {
    this.address = address;
    this.#socket = socket;
    this.#limits = limits;
    socket.on('pong', () => {
      this.#alive = true;
      this.#answered = this.#pinged ?? this.#answered;
    });
  }

  /** Remembers what the client has received of a feed that starts at a position. */
  follow(feed: Pick<Feed, 'reached'>, start: Position): void {
    this.#feed = feed;
    this.#answered = start;
  }

  /** The position after which a client that answers no more may have received nothing; undefined for another end. */
  get lostAfter(): Position | undefined {
    return this.#lost ? this.#answered : undefined;
  }

  get closing(): boolean {
    return this.#closing || this.#socket.readyState !== WebSocket.OPEN;
  }

  /** Sends a frame, whose bytes sockets share; a reader that is too slow is closed with 1013. */
  send(frame: Buffer): void {
    if (this.closing) return;
    if (this.#socket.bufferedAmount > this.#limits.maxBufferedBytes) this.close('tryAgain');
    else this.#socket.send(frame, asText);
  }

  /** Closes, and terminates if the client does not answer in time. Nothing is sent afterwards. */
  close(reason: CloseReason): void {
    const socket = this.#socket;
    if (this.#closing || socket.readyState === WebSocket.CLOSED) return;
    this.#closing = true;
    socket.close(closeCodes[reason]);
    const timer = setTimeout(() => socket.terminate(), this.#limits.closeWaitMs);
    socket.once('close', () => clearTimeout(timer));
  }

  /** Sets the time (ms) and reason of closing, up to a second late; replaces the previous one. */
  closeAt(time: number, reason: CloseReason): void {
    this.#due = time;
    this.#dueReason = reason;
  }

  closeIfDue(now: number): void {
    if (now >= this.#due) this.close(this.#dueReason);
  }

  /** Pings; terminates a client that did not answer the last ping. */
  beat(): void {
    if (!this.#alive) {
      this.#lost = true;
      this.#socket.terminate();
    } else if (!this.closing) {
      this.#alive = false;
      this.#pinged = this.#feed?.reached;
      this.#socket.ping();
    }
  }

  /** Resolves when the connection is closed. */
  async gone(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.CLOSED) await once(this.#socket, 'close');
  }
}
