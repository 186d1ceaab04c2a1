import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { Redis, Result } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { appendScript, readScript } from './history-scripts.ts';
import { tracePrefix } from './delivery-trace.ts';
import { memberKeys } from './member-keys.ts';
import type { Notification } from './notification.ts';
import type { Position } from './position.ts';
import { createReplayBuffer } from './replay-buffer.ts';

/** One message of a history: the tag of its position and the JSON of its frame without id. */
export interface KeptMessage {
  readonly tag: string;
  readonly payload: string;
}

/** What a member's history says about the time after a position. */
export interface Passage {
  /** Where the history stands now. */
  readonly head: Position;
  /**
   * The messages after the position in order; the last one is the head's. Undefined where they are not all there any
   * more, or the position is not of this history: the client has to start anew.
   */
  readonly messages: readonly KeptMessage[] | undefined;
}

/** The last messages of each member. */
export interface HistoryStore {
  /**
   * Appends and publishes a message, once per event; the same event again changes nothing. Resolves with how many processes
   * with a socket of the member heard it.
   */
  append(message: Notification): Promise<number>;
  /** What came after a position; nothing, where none is given. */
  readAfter(member: number, after?: Position): Promise<Passage>;
  /** Every message that is kept, oldest first, as JSON without id. */
  all(member: number): Promise<string[]>;
  /** Forgets a member's history; a client that resumes later is told to start anew. */
  erase(member: number): Promise<void>;
}

interface Scripts {
  appendLive(...args: (string | number)[]): Result<number, { type: 'default' }>;
  readLive(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
}

const passage = z.tuple([z.string(), z.number(), z.string(), z.number(), z.array(z.string())]);

/** The head outlives the messages, so that a member who was told nothing for days still knows that nothing was missed. */
const headLife = 7;

/** 16 hexadecimal digits, of which one is fixed; a UUID takes its randomness from a store and not from the system each time. */
const freshEpoch = () => randomUUID().replaceAll('-', '').slice(0, 16);

const messagesOf = (flat: readonly string[]): KeptMessage[] =>
  flat.flatMap((tag, index) => (index % 2 ? [] : [{ tag, payload: flat[index + 1] ?? '' }]));

/**
 * Creates the store; `length` messages are kept for `seconds`. A Redis that comes back may have lost its last
 * second, and a replica that takes over what was not copied yet: what this process appended in the last seconds before
 * is appended again first, and what is there still is not doubled.
 */
export function createHistoryStore(
  redis: Redis,
  {
    namespace,
    length,
    seconds,
    logger,
    clock,
  }: { namespace: string; length: number; seconds: number; logger: Logger; clock: Clock },
): HistoryStore {
  redis.defineCommand('appendLive', { numberOfKeys: 3, lua: appendScript });
  redis.defineCommand('readLive', { numberOfKeys: 2, lua: readScript });
  const scripts = redis as Redis & Scripts;
  const headSeconds = seconds * headLife;

  const write = async ({ member, eventId, update, traceparent }: Notification): Promise<number> => {
    const keys = memberKeys(namespace, member);
    const names = [keys.head, keys.stream, keys.told(eventId)];
    const limits = [JSON.stringify(update), length, seconds];
    const forgotten = new Date(clock().getTime() - seconds * 1000).toISOString();
    const told = [keys.channel, eventId, forgotten, tracePrefix(traceparent)];
    return scripts.appendLive(...names, freshEpoch(), headSeconds, ...limits, ...told);
  };
  const recent = createReplayBuffer(redis, write, logger);

  return {
    append: (message) => recent.write(message),
    async readAfter(member, after) {
      await recent.replayed();
      const { head, stream } = memberKeys(namespace, member);
      const position = [after?.epoch ?? '', after?.number ?? 0, after?.tag ?? ''];
      const answer = await scripts.readLive(head, stream, freshEpoch(), headSeconds, length, ...position);
      const [epoch, number, tag, whole, messages] = passage.parse(answer);
      return { head: { epoch, number, tag }, messages: whole ? messagesOf(messages) : undefined };
    },
    async all(member) {
      const entries = await redis.xrange(memberKeys(namespace, member).stream, '-', '+');
      return entries.flatMap(([, [, payload]]) => payload ?? []);
    },
    async erase(member) {
      const { head, stream } = memberKeys(namespace, member);
      await redis.del(head, stream);
    },
  };
}
