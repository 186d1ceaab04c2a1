import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { setTimeout as wait } from 'node:timers/promises';
import type { HistoryStore, StoredMessage } from './history-store.ts';
import { frameId, frameOf, freshTag, isBeyond, ephemeralId, type Position } from './position.ts';

/** The dependencies of feeds, shared by a process. */
export interface FeedOptions {
  readonly history: Pick<HistoryStore, 'readAfter'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Pause before a history that could not be read is read again. */
  readonly historyRetryMs?: number;
}

/** The receiver of a feed's frames. */
interface Reader {
  send(frame: Buffer): void;
}

const standardRetryMs = 500;

/**
 * Sends the messages of one member to one socket, in order and once. It has sent exactly those after `low` up to `high`. Of offered
 * messages, the next one is sent at once, an older one dropped, and a later one read from the history with those before it. A class
 * with few fields, because every socket has one.
 */
export class Feed {
  readonly #member: number;
  readonly #reader: Reader;
  readonly #options: FeedOptions;
  #low: Position | undefined;
  #high: Position | undefined;
  #wanted: Position | undefined;
  #readings = 0;
  #paused = false;
  #lastReading: Promise<void> | undefined;
  #ended = false;

  constructor(member: number, reader: Reader, options: FeedOptions) {
    this.#member = member;
    this.#reader = reader;
    this.#options = options;
  }

  /** The last message that was sent. */
  get reached(): Position | undefined {
    return this.#high;
  }

  /** Starts after a position; before this nothing is sent. */
  start(at: Position): void {
    this.#startAt(at);
    // A resume that arrived with the token goes first.
    setImmediate(() => this.#isBehind() && void this.catchUp());
  }

  /** Takes a message that was received on the channel, as its frame. */
  offer(at: Position, frame: Buffer): void {
    if (this.#ended) return;
    const high = this.#high;
    if (!high || this.#paused || this.#readings > 0) {
      this.#wanted = at;
      return;
    }
    if (!isBeyond(at, high)) return;
    if (at.epoch !== high.epoch || at.number !== high.number + 1) {
      void this.catchUp();
      return;
    }
    this.#high = at;
    this.#reader.send(frame);
  }

  /** Sends a message that is in no history, after the current reading, because its id confirms everything before it. */
  sendEphemeral(tag: string, payload: string): void {
    if (this.#ended || !this.#high) return;
    if (this.#lastReading) void this.#lastReading.then(() => this.sendEphemeral(tag, payload));
    else this.#reader.send(frameOf(ephemeralId(this.#high, tag), payload));
  }

  /** Sends what the client missed after a position, or a `reset` frame if some of it is gone. */
  resume(after: Position | undefined): Promise<void> {
    return this.#readFirst(() => this.#readBack(after));
  }

  /** Sends nothing until `catchUp`, because the next message may not follow the last one. */
  pause(): void {
    this.#paused = true;
  }

  /** Sends what was published while the channel was down. */
  catchUp(): Promise<void> {
    this.#paused = false;
    return this.#readFirst(() => this.#readOn());
  }

  /** An id for a frame after the last message sent; a resume after it begins there. */
  freshId(): string {
    return this.#high ? ephemeralId(this.#high, freshTag()) : '';
  }

  stop(): void {
    this.#ended = true;
  }

  #startAt(at: Position): void {
    this.#low = at;
    this.#high = at;
  }

  #sendAll({ epoch, number }: Position, messages: readonly StoredMessage[]): void {
    for (const [index, { tag, payload }] of messages.entries()) {
      const at = { epoch, number: number + index + 1, tag };
      this.#reader.send(frameOf(frameId(at), payload));
    }
  }

  #reset(head: Position): void {
    this.#startAt(head);
    const at = this.#options.clock().toISOString();
    this.#reader.send(frameOf(this.freshId(), JSON.stringify({ type: 'reset', at, data: {} })));
  }

  #isBehind(): boolean {
    return this.#wanted !== undefined && this.#high !== undefined && isBeyond(this.#wanted, this.#high);
  }

  #read(after?: Position) {
    return this.#options.history.readAfter(this.#member, after);
  }

  /** Sends everything from `high` to the head of the history. */
  async #readOn(): Promise<void> {
    const high = this.#high;
    if (!high) return;
    this.#wanted = undefined;
    const { head, messages } = await this.#read(high);
    if (this.#ended) return;
    if (!messages) return this.#reset(head);
    this.#sendAll(high, messages);
    this.#high = head;
  }

  /** Sends the messages between `after` and those already sent; `undefined` is an unknown id. */
  async #readBack(after: Position | undefined): Promise<void> {
    const { head, messages } = await this.#read(after);
    const low = this.#low;
    if (this.#ended || !low) return;
    if (!after || !messages || after.epoch !== low.epoch) return this.#reset(head);
    const owed = low.number - after.number;
    if (owed <= 0) return;
    // Redis lost some of it since `ready`.
    if (messages.length < owed) return this.#reset(head);
    this.#sendAll(after, messages.slice(0, owed));
    this.#low = after;
  }

  /** Retries until the socket ends. */
  async #persist(work: () => Promise<void>): Promise<void> {
    const { logger, historyRetryMs = standardRetryMs } = this.#options;
    while (!this.#ended) {
      try {
        return await work();
      } catch (error) {
        logger.warn({ err: error }, 'history not read, retrying');
        await wait(historyRetryMs);
      }
    }
  }

  /** Reads after the current reading, then on until nothing later was offered. */
  #readFirst(first: () => Promise<void>): Promise<void> {
    this.#readings += 1;
    const reading = this.#readAll(this.#lastReading, first);
    this.#lastReading = reading;
    return reading;
  }

  async #readAll(before: Promise<void> | undefined, first: () => Promise<void>): Promise<void> {
    await before;
    await this.#persist(first);
    while (this.#isBehind() && !this.#ended) await this.#persist(() => this.#readOn());
    this.#readings -= 1;
    // A stored promise would keep its predecessors in memory.
    if (!this.#readings) this.#lastReading = undefined;
  }
}
