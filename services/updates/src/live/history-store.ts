import type { Redis, Result } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { appendScript, readScript } from './history-scripts.ts';
import { memberKeys } from './keys.ts';
import type { LiveMessage } from './live-message.ts';
import type { Position } from './position.ts';

/** What a member's history says about the time after a position. */
export interface Passage {
  /** Where the history stands now. */
  readonly head: Position;
  /**
   * The messages after the position in order, as JSON without id; the last one is the head's. Undefined where they are
   * not all there any more: the client has to start anew.
   */
  readonly messages: readonly string[] | undefined;
}

/** The last messages of each member. */
export interface HistoryStore {
  /** Appends and publishes a message, once per event; the same event again changes nothing. */
  append(message: LiveMessage): Promise<void>;
  /** What came after a position; nothing, where none is given. */
  readAfter(member: number, after?: Position): Promise<Passage>;
}

interface Scripts {
  appendLive(...args: (string | number)[]): Result<number, { type: 'default' }>;
  readLive(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
}

const passage = z.tuple([z.string(), z.number(), z.number(), z.array(z.string())]);

/** The head outlives the messages, so that a member who was told nothing for days still knows that nothing was missed. */
const headLife = 7;

const freshEpoch = () => randomBytes(8).toString('hex');

/** Creates the store; `length` messages are kept for `seconds` (D41). */
export function createHistoryStore(
  redis: Redis,
  { namespace, length, seconds }: { namespace: string; length: number; seconds: number },
): HistoryStore {
  redis.defineCommand('appendLive', { numberOfKeys: 3, lua: appendScript });
  redis.defineCommand('readLive', { numberOfKeys: 2, lua: readScript });
  const scripts = redis as Redis & Scripts;
  const headSeconds = seconds * headLife;
  return {
    async append({ member, eventId, update }) {
      const keys = memberKeys(namespace, member);
      const payload = JSON.stringify(update);
      const names = [keys.head, keys.stream, keys.told(eventId)];
      const values = [freshEpoch(), headSeconds, payload, length, seconds, keys.channel];
      await scripts.appendLive(...names, ...values);
    },
    async readAfter(member, after) {
      const { head, stream } = memberKeys(namespace, member);
      const position = [after?.epoch ?? '', after?.number ?? 0];
      const answer = await scripts.readLive(head, stream, freshEpoch(), headSeconds, ...position);
      const [epoch, number, whole, messages] = passage.parse(answer);
      return { head: { epoch, number }, messages: whole ? messages : undefined };
    },
  };
}
