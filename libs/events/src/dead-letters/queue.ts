import type { ConfirmChannel, GetMessage } from 'amqplib';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { connectOnce } from '../broker-hosts.ts';
import {
  deadExchangeOf,
  deadQueueOf,
  declareTopology,
  queueNames,
  replayKeyOf,
  type QueueName,
} from '../topology.ts';
import {
  deadLetterNote,
  publishedAs,
  replayHeaders,
  replaysOf,
  sendSafely,
  type DeadLetterNote,
} from './messages.ts';

/** A rejected message. */
export interface DeadLetter extends DeadLetterNote {
  /** The queue whose consumer rejected it. */
  readonly queue: QueueName;
  /** The event's id; `no-id-…`, a hash of the content, for a message that is no event. */
  readonly id: string;
  /** The event type, e.g. 'member.updated'. */
  readonly type: string;
  /** The number of replays. */
  readonly replays: number;
  /** The body as it was sent: usually JSON. */
  readonly content: string;
}

/** Replays a dead letter to its own queue only, or deletes it for good. */
export type SettlingAction = 'replay' | 'drop';

type Action = SettlingAction | 'keep';

/** The queue and id of a dead letter. */
type LetterKey = Pick<DeadLetter, 'queue' | 'id'>;

interface ProcessOptions {
  readonly most?: number;
  readonly handled?: (letter: DeadLetter) => unknown;
}

/** The dead letters of one namespace. */
export type DeadLetters = ReturnType<typeof deadLettersOn>;

/** Dead letters with a connection of their own. */
export type OpenDeadLetters = Awaited<ReturnType<typeof openDeadLetters>>;

/** A longer one is not ours, and no id to call it by. */
const eventId = z.string().min(1).max(100);

const nameless = (content: Buffer): string =>
  `no-id-${createHash('sha256').update(content).digest('hex').slice(0, 12)}`;

function letterOf(queue: QueueName, { properties, content }: GetMessage): DeadLetter {
  const { headers } = properties;
  return {
    ...deadLetterNote(headers),
    queue,
    id: eventId.safeParse(properties.messageId).data ?? nameless(content),
    type: typeof properties.type === 'string' ? properties.type : publishedAs(headers),
    replays: replaysOf(headers),
    content: content.toString('utf8'),
  };
}

const putBackLimitMs = 5_000;
const lookAgainMs = 20;

/** Lets one reader of a queue's dead letters at a time work. */
type Turn = <T>(queue: QueueName, work: () => Promise<T>) => Promise<T>;

/** The dead letters on a channel. Its account needs to read their queues, and to publish to the exchange of dead letters. */
export function deadLettersOn(
  channel: ConfirmChannel,
  namespace: string,
  turn: Turn = (_queue, work) => work(),
) {
  const waitingNow = async (queue: QueueName): Promise<number> =>
    (await channel.checkQueue(deadQueueOf(namespace, queue))).messageCount;

  /** Resolves when the broker counts the requeued messages again. */
  const allThere = async (queue: QueueName, all: number): Promise<void> => {
    const end = Date.now() + putBackLimitMs;
    while (Date.now() < end && (await waitingNow(queue)) < all) await wait(lookAgainMs);
  };

  const actions: Record<Action, (queue: QueueName, message: GetMessage) => Promise<void>> = {
    // Unacknowledged until the end, or it would be delivered next again; the broker requeues it in place.
    keep: () => Promise.resolve(),
    drop: (_queue, message) => Promise.resolve(channel.ack(message)),
    async replay(queue, message) {
      const to = { exchange: deadExchangeOf(namespace), key: replayKeyOf(namespace, queue) };
      const { headers, messageId } = message.properties;
      const { type } = letterOf(queue, message);
      const isStored = await sendSafely(channel, to, message.content, {
        messageId: messageId as unknown,
        type,
        headers: replayHeaders(headers),
      });
      if (!isStored) throw new Error(`The queue ${queue} does not exist: run covalence events declare.`);
      channel.ack(message);
    },
  };

  /**
   * Takes up to `most` dead letters of a queue, oldest first, and handles each as the callback decides. Kept ones stay in order. A
   * replayed one is removed once the broker has confirmed it: after a crash it may be delivered twice, but is never lost. Resolves
   * with the numbers of kept, replayed and dropped ones. `handled` is called with each, also if a later one makes it reject.
   */
  const processEach = (
    queue: QueueName,
    decide: (letter: DeadLetter) => Action,
    { most = Infinity, handled }: ProcessOptions = {},
  ) =>
    turn(queue, async () => {
      const done: Record<Action, number> = { keep: 0, replay: 0, drop: 0 };
      const held = new Set<GetMessage>();
      // Messages that are rejected meanwhile are left for the next run.
      const waiting = await waitingNow(queue);
      try {
        for (let left = Math.min(waiting, most); left > 0; left -= 1) {
          const message = await channel.get(deadQueueOf(namespace, queue));
          if (!message) break;
          held.add(message);
          const letter = letterOf(queue, message);
          const action = decide(letter);
          await actions[action](queue, message);
          handled?.(letter);
          if (action !== 'keep') held.delete(message);
          done[action] += 1;
        }
      } finally {
        for (const message of held) channel.nack(message, false, true);
      }
      await allThere(queue, waiting - done.replay - done.drop);
      return done;
    });

  const waitingIn = (queue: QueueName): Promise<number> => turn(queue, () => waitingNow(queue));

  return {
    waitingIn,
    processEach,

    /** The number of dead letters by queue. */
    async counts() {
      const depths = queueNames.map(async (name) => [name, await waitingIn(name)] as const);
      return Object.fromEntries(await Promise.all(depths)) as Record<QueueName, number>;
    },

    /** The oldest dead letters of a queue, up to `most`; they stay. */
    async read(queue: QueueName, most = Infinity): Promise<DeadLetter[]> {
      const letters: DeadLetter[] = [];
      const note = (letter: DeadLetter) => (letters.push(letter), 'keep' as const);
      await processEach(queue, note, { most });
      return letters;
    },

    /** Replays or drops letters among the oldest `most` of their queues. Adds each to `settled` once it is, also where it rejects. */
    async settle(
      action: SettlingAction,
      letters: readonly LetterKey[],
      settled: LetterKey[],
      most = Infinity,
    ) {
      for (const [queue, places] of Map.groupBy(letters, (place) => place.queue)) {
        const ids = new Set(places.map(({ id }) => id));
        await processEach(queue, ({ id }) => (ids.has(id) ? action : 'keep'), {
          most,
          handled: ({ id }) => ids.has(id) && settled.push({ queue, id }),
        });
      }
    },
  };
}

/** Connects to the broker with an account that may configure it; rejects if it is unavailable. */
export async function openDeadLetters(url: string, namespace: string, turn?: Turn) {
  const connection = await connectOnce(url);
  const channel = await connection.createConfirmChannel();
  channel.on('error', () => undefined);
  await declareTopology(channel, namespace);
  return {
    ...deadLettersOn(channel, namespace, turn),
    async close() {
      await channel.close();
      await connection.close();
    },
  };
}
