import type { Logger } from '@covalence/runtime/logger';
import { setTimeout as wait } from 'node:timers/promises';
import type { KeptMessage, Passage } from './history-store.ts';
import { frameId, isBeyond, type Position } from './position.ts';

/** What one socket is told, in order and once. */
export interface Feed {
  /** Where the feed starts; before this nothing is sent. */
  start(at: Position): void;
  /** A message heard on the channel. */
  offer(at: Position, payload: string): void;
  /** Sends what the client missed after a position, or a `reset` frame where that is not all there any more (D41). */
  resume(after: Position | undefined): Promise<void>;
  /** Sends what came while the channel could not be heard. */
  catchUp(): Promise<void>;
  /** The id of the last message sent, or of the start. */
  readonly id: string;
  /** Nothing is sent any more. */
  stop(): void;
}

/** What a feed works with. */
export interface FeedOptions {
  readonly read: (after?: Position) => Promise<Passage>;
  /** Sends one frame; the payload is a JSON object without id. */
  readonly send: (id: string, payload: string) => void;
  readonly now: () => Date;
  readonly logger: Logger;
  readonly retryMs?: number;
}

const standardRetryMs = 500;

/**
 * Creates the feed of one socket. It has sent exactly the messages after `low` up to `high`, whatever order they are
 * offered in: the next one is sent at once, an older one dropped, and anything beyond the next read from the history.
 * While it reads, offers only mark how far there is to read.
 */
export function createFeed({ read, send, now, logger, retryMs = standardRetryMs }: FeedOptions): Feed {
  let low: Position | undefined;
  let high: Position | undefined;
  let wanted: Position | undefined;
  let readings = 0;
  let lastReading = Promise.resolve();
  // A plain flag: an abort signal for each socket is a good part of what a socket costs.
  const life = { ended: false };

  const startAt = (at: Position) => {
    low = at;
    high = at;
  };
  const sendAll = ({ epoch, number }: Position, messages: readonly KeptMessage[]) =>
    messages.forEach(({ tag, payload }, index) =>
      send(frameId({ epoch, number: number + index + 1, tag }), payload),
    );
  const reset = (head: Position) => {
    startAt(head);
    send(frameId(head), JSON.stringify({ type: 'reset', at: now().toISOString(), data: {} }));
  };
  const behind = (): boolean => wanted !== undefined && high !== undefined && isBeyond(wanted, high);

  /** Sends everything from `high` to the head of the history. */
  const readOn = async (): Promise<void> => {
    if (!high) return;
    wanted = undefined;
    const { head, messages } = await read(high);
    if (life.ended) return;
    if (!messages) return reset(head);
    sendAll(high, messages);
    high = head;
  };

  /** Sends what lies between `after` and what the socket was already sent; `undefined` is an id that was never given. */
  const readBack = async (after: Position | undefined): Promise<void> => {
    const { head, messages } = await read(after);
    if (life.ended || !low || !high) return;
    if (!after || !messages || after.epoch !== low.epoch) return reset(head);
    if (after.number >= low.number) return;
    sendAll(after, messages.slice(0, low.number - after.number));
    low = after;
  };

  /** A reading that fails is tried again until the socket ends. */
  const persist = async (work: () => Promise<void>): Promise<void> => {
    while (!life.ended) {
      try {
        return await work();
      } catch (error) {
        logger.warn({ err: error }, 'history not read, trying again');
        await wait(retryMs);
      }
    }
  };

  /** Reads after what is being read already, and then on until nothing more was offered meanwhile. */
  const readFirst = (first: () => Promise<void>): Promise<void> => {
    const before = lastReading;
    const all = async () => {
      await before;
      await persist(first);
      while (behind() && !life.ended) await persist(readOn);
    };
    readings += 1;
    lastReading = all().finally(() => (readings -= 1));
    return lastReading;
  };

  return {
    start(at) {
      startAt(at);
      // A resume that came along with the token is read first, so that its messages are sent first.
      setImmediate(() => behind() && void readFirst(readOn));
    },
    offer(at, payload) {
      if (life.ended) return;
      if (!high || readings > 0) {
        wanted = at;
        return;
      }
      if (!isBeyond(at, high)) return;
      if (at.epoch !== high.epoch || at.number !== high.number + 1) {
        void readFirst(readOn);
        return;
      }
      high = at;
      send(frameId(at), payload);
    },
    resume: (after) => readFirst(() => readBack(after)),
    catchUp: () => readFirst(readOn),
    get id() {
      return high ? frameId(high) : '';
    },
    stop() {
      life.ended = true;
    },
  };
}
