import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import { publishCommand, type RedisClient } from '@covalence/runtime/redis';
import type { Result } from 'ioredis';
import { chunks } from '@covalence/runtime/chunks';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { appendScript, readScript } from './history-scripts.ts';
import { tracePrefix } from './delivery-trace.ts';
import { memberKeys } from './member-keys.ts';
import type { Notification } from './notification.ts';
import type { Position } from './position.ts';
import { createReplayBuffer } from './replay-buffer.ts';

/** A message of a history: the tag of its position, the JSON of its frame without id, and the id of its event. */
export interface StoredMessage {
  readonly tag: string;
  readonly payload: string;
  readonly eventId: string;
}

/** The messages after a position in a member's history. */
export interface Passage {
  /** The current end of the history. */
  readonly head: Position;
  /**
   * The messages after the position, in order, up to the head. Undefined when some are gone or the position is not of this
   * history: the client has to reset.
   */
  readonly messages: readonly StoredMessage[] | undefined;
}

/** The last messages of each member. */
export type HistoryStore = ReturnType<typeof createHistoryStore>;

interface Scripts {
  appendLive(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
  readLive(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
}

/** Outcome of an append: the processes that received it, and its place unless another process appended it. */
interface Appended {
  readonly processes: number;
  readonly epoch?: string;
  readonly number?: number;
}

/** Empty where messages of other processes come first. */
const appended = z.union([z.tuple([]), z.tuple([z.number()]), z.tuple([z.number(), z.string(), z.number()])]);

const passage = z.tuple([z.string(), z.number(), z.string(), z.number(), z.array(z.string())]);

/** The head outlives the messages by this factor, so that a client can resume after days without updates. */
const headLife = 7;

/** Pause of a replayed message before which others are missing, ms. */
const orderRetryMs = 100;

/** 16 hexadecimal digits. */
const freshEpoch = () => randomUUID().replaceAll('-', '').slice(0, 16);

const messagesOf = (flat: readonly string[]): StoredMessage[] =>
  Array.from(chunks(flat, 3), ([tag = '', payload = '', eventId = '']) => ({ tag, payload, eventId }));

/**
 * Creates the store; `length` messages are stored for `seconds`. After a reconnect, this process appends its messages of the last
 * seconds again, because Redis may have lost them; those that are still there are not repeated.
 */
export function createHistoryStore(
  redis: RedisClient,
  options: { namespace: string; length: number; seconds: number; logger: Logger; clock: Clock },
) {
  const { namespace, length, seconds, logger, clock } = options;
  redis.defineCommand('appendLive', { numberOfKeys: 3, lua: appendScript });
  redis.defineCommand('readLive', { numberOfKeys: 2, lua: readScript });
  const scripts = redis as RedisClient & Scripts;
  const headSeconds = seconds * headLife;

  const append = async ({ member, eventId, update, traceparent }: Notification, before?: Appended) => {
    const keys = memberKeys(namespace, member);
    const names = [keys.head, keys.stream, keys.delivered(eventId)];
    const limits = [JSON.stringify(update), length, seconds];
    const oldest = new Date(clock().getTime() - seconds * 1000).toISOString();
    const publication = [keys.channel, eventId, oldest, tracePrefix(traceparent), publishCommand(redis)];
    const place = [before?.epoch ?? '', before?.number ?? 0];
    return appended.parse(
      await scripts.appendLive(...names, freshEpoch(), headSeconds, ...limits, ...publication, ...place),
    );
  };
  /** Each process writes its own messages again. Those of a member keep their order, so that clients can go on. */
  const write = async (message: Notification, before?: Appended): Promise<Appended> => {
    let answer = await append(message, before);
    while (!answer.length && !buffer.isSettled()) {
      await wait(orderRetryMs);
      answer = await append(message, before);
    }
    const [processes = 0, ...place] = answer.length ? answer : await append(message);
    const [epoch = before?.epoch, number = before?.number] = place;
    return { processes, epoch, number };
  };
  const buffer = createReplayBuffer(redis, ({ member }) => member, write, logger);

  return {
    /**
     * Appends and publishes a message, once per event. Resolves with the number of processes with a socket of the member that
     * received it.
     */
    append: async (message: Notification): Promise<number> => (await buffer.write(message)).processes,
    /** Reads the messages after a position; without one, only the head. */
    async readAfter(member: number, after?: Position): Promise<Passage> {
      await buffer.replayed(member);
      const { head, stream } = memberKeys(namespace, member);
      const position = [after?.epoch ?? '', after?.number ?? 0, after?.tag ?? ''];
      const answer = await scripts.readLive(head, stream, freshEpoch(), headSeconds, length, ...position);
      const [epoch, number, tag, whole, messages] = passage.parse(answer);
      // Messages up to the position, which a failover lost, are about to come back.
      if (!whole && !buffer.isSettled()) throw new Error('the history is being written again');
      return { head: { epoch, number, tag }, messages: whole ? messagesOf(messages) : undefined };
    },
    /** Every stored message, oldest first, as JSON without id. */
    async all(member: number): Promise<string[]> {
      const entries = await redis.xrange(memberKeys(namespace, member).stream, '-', '+');
      return entries.flatMap(([, [, payload]]) => payload ?? []);
    },
    /** Deletes a member's history; a client that resumes later gets a reset. */
    async erase(member: number): Promise<void> {
      const { head, stream } = memberKeys(namespace, member);
      await redis.del(head, stream);
    },
  };
}
