import { connect, type GetMessage } from 'amqplib';
import { z } from 'zod';
import { deadQueueOf, declareTopology, queueOf, queues, type QueueName } from './topology.ts';

/** A message that was refused, as it waits for a person. */
export interface DeadLetter {
  /** The queue whose consumer refused it. */
  readonly queue: QueueName;
  /** The event's id; empty for a message that never was an event of ours. */
  readonly id: string;
  /** What it was published as, e.g. 'member.updated'. */
  readonly type: string;
  /** When it was refused, to the second; undefined where the broker does not say. */
  readonly died: Date | undefined;
  /** 'rejected': the consumer gave up. 'delivery_limit': a process ended on it again and again. */
  readonly reason: string;
  /** The event as it was sent: JSON, unless that is what is wrong with it. */
  readonly content: string;
}

/** What becomes of a dead letter: it stays, goes back to the queue that it came from and to no other, or is gone. */
type Verdict = 'keep' | 'replay' | 'drop';

/** The dead letters of one namespace. */
export interface DeadLetters {
  /** How many wait, by queue. */
  counts(): Promise<Readonly<Record<QueueName, number>>>;
  /**
   * Shows every letter that waits in a queue, oldest first, and does with each as it is told. Letters that stay keep their
   * order. A replayed one is gone from here once the broker has confirmed it there, so that one cut short may come twice,
   * which consumers stand, and is never lost. Resolves with how many were kept, replayed and dropped.
   */
  sift(queue: QueueName, decide: (letter: DeadLetter) => Verdict): Promise<Record<Verdict, number>>;
  close(): Promise<void>;
}

/** What RabbitMQ notes on a message that died; the newest death comes first. */
const deathsSchema = z
  .array(
    z.object({
      reason: z.string(),
      'routing-keys': z.array(z.string()),
      time: z.object({ value: z.number() }),
    }),
  )
  .min(1);

function letterOf(queue: QueueName, { properties, content }: GetMessage): DeadLetter {
  const deaths = deathsSchema.safeParse(properties.headers?.['x-death']).data ?? [];
  const newest = deaths.at(0);
  return {
    queue,
    id: typeof properties.messageId === 'string' ? properties.messageId : '',
    // The first death knows the key that it was published with; a replayed one is addressed to the queue.
    type: typeof properties.type === 'string' ? properties.type : (deaths.at(-1)?.['routing-keys'][0] ?? ''),
    died: newest && new Date(newest.time.value * 1_000),
    reason: newest?.reason ?? 'unknown',
    content: content.toString('utf8'),
  };
}

/** Connects to the broker for a look at the dead letters; rejects when it is away. */
export async function openDeadLetters(url: string, namespace: string): Promise<DeadLetters> {
  const connection = await connect(url, { timeout: 5_000 });
  // Whatever is under way rejects when the broker is lost; without a listener the process would end.
  connection.on('error', () => undefined);
  const channel = await connection.createConfirmChannel();
  channel.on('error', () => undefined);
  await declareTopology(channel, namespace);

  const verdicts: Record<Verdict, (letter: DeadLetter, message: GetMessage) => Promise<void>> = {
    // Held until the end, or it would be the next one again; the broker puts it back where it was.
    keep: () => Promise.resolve(),
    drop: (_letter, message) => Promise.resolve(channel.ack(message)),
    async replay({ queue, id, type }, message) {
      const properties = { persistent: true, messageId: id, type, contentType: 'application/json' };
      channel.sendToQueue(queueOf(namespace, queue), message.content, properties);
      await channel.waitForConfirms();
      channel.ack(message);
    },
  };

  return {
    async counts() {
      const names = Object.keys(queues) as QueueName[];
      const depths = names.map(async (name) => {
        const { messageCount } = await channel.checkQueue(deadQueueOf(namespace, name));
        return [name, messageCount] as const;
      });
      return Object.fromEntries(await Promise.all(depths)) as Record<QueueName, number>;
    },

    async sift(queue, decide) {
      const name = deadQueueOf(namespace, queue);
      const done: Record<Verdict, number> = { keep: 0, replay: 0, drop: 0 };
      const kept: GetMessage[] = [];
      // Those that die meanwhile wait for the next look.
      const { messageCount } = await channel.checkQueue(name);
      try {
        for (let left = messageCount; left > 0; left -= 1) {
          const message = await channel.get(name);
          if (!message) break;
          const letter = letterOf(queue, message);
          const verdict = decide(letter);
          if (verdict === 'keep') kept.push(message);
          await verdicts[verdict](letter, message);
          done[verdict] += 1;
        }
      } finally {
        for (const message of kept) channel.nack(message, false, true);
      }
      return done;
    },

    async close() {
      await channel.close();
      await connection.close();
    },
  };
}
