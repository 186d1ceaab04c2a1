import type { ConfirmChannel, ConsumeMessage, MessagePropertyHeaders } from 'amqplib';
import { z } from 'zod';
import { deadExchangeOf, queueOf, type QueueName } from '../topology.ts';

/** Why and when a message became a dead letter. */
export interface DeadLetterNote {
  /** Precise to the second; undefined if unknown. */
  readonly died: Date | undefined;
  /** 'rejected': the consumer gave up. 'delivery_limit': the consumer's process died repeatedly. */
  readonly reason: string;
  /** The consumer's last error. */
  readonly error: string | undefined;
  /** The number of attempts. */
  readonly tries: number | undefined;
}

const noteHeader = 'covalence-death';
const replaysHeader = 'covalence-replays';
const longestError = 300;

const noteSchema = z.object({ at: z.iso.datetime(), error: z.string(), tries: z.int() });

/** RabbitMQ's x-death header of messages that it dead-lettered itself, newest first. */
const brokerNotesSchema = z
  .array(
    z.object({
      reason: z.string(),
      'routing-keys': z.array(z.string()),
      time: z.object({ value: z.number() }),
    }),
  )
  .min(1);

const textOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, longestError);

/** The headers of a new dead letter: its count of replays, and the consumer's note. */
const deadLetterHeaders = (
  headers: MessagePropertyHeaders | undefined,
  { error, tries }: { readonly error: unknown; readonly tries: number },
): MessagePropertyHeaders => ({
  ...(headers?.[replaysHeader] !== undefined && { [replaysHeader]: headers[replaysHeader] as unknown }),
  [noteHeader]: { at: new Date().toISOString(), error: textOf(error), tries },
});

/** The number of times a message was replayed. */
export const replaysOf = (headers: MessagePropertyHeaders | undefined): number =>
  z.int().safeParse(headers?.[replaysHeader]).data ?? 0;

/** The headers of a message that is replayed. */
export const replayHeaders = (headers: MessagePropertyHeaders | undefined): MessagePropertyHeaders => ({
  [replaysHeader]: replaysOf(headers) + 1,
});

/** Reads the consumer's note of a dead letter, else the broker's. */
export function deadLetterNote(headers: MessagePropertyHeaders | undefined): DeadLetterNote {
  const note = noteSchema.safeParse(headers?.[noteHeader]).data;
  if (note) return { died: new Date(note.at), reason: 'rejected', error: note.error, tries: note.tries };
  const [newest] = brokerNotesSchema.safeParse(headers?.['x-death']).data ?? [];
  return {
    died: newest && new Date(newest.time.value * 1_000),
    reason: newest?.reason ?? 'unknown',
    error: undefined,
    tries: undefined,
  };
}

/** The original routing key, from the oldest x-death entry. */
export const publishedAs = (headers: MessagePropertyHeaders | undefined): string =>
  brokerNotesSchema.safeParse(headers?.['x-death']).data?.at(-1)?.['routing-keys'][0] ?? '';

/**
 * Publishes to an exchange ('' addresses a queue by name); resolves once the broker has confirmed it, with whether a queue has stored
 * the message.
 */
export async function sendSafely(
  channel: ConfirmChannel,
  to: { readonly exchange: string; readonly key: string },
  content: Buffer,
  properties: { readonly messageId: unknown; readonly type: string; readonly headers: object },
): Promise<boolean> {
  const { messageId, type, headers } = properties;
  let returned = false;
  const note = () => (returned = true);
  // An unroutable message is returned before its confirm. With several pending, none counts as sent then.
  channel.on('return', note);
  try {
    await new Promise<void>((resolve, reject) => {
      const options = {
        persistent: true,
        mandatory: true,
        contentType: 'application/json',
        type,
        headers,
        ...(typeof messageId === 'string' && { messageId }),
      };
      channel.publish(to.exchange, to.key, content, options, (error: unknown) =>
        error
          ? reject(error instanceof Error ? error : new Error('RabbitMQ did not confirm the message'))
          : resolve(),
      );
    });
  } finally {
    channel.off('return', note);
  }
  return !returned;
}

/**
 * Publishes a message to the dead letters of its queue, with a note of the reason. The caller acknowledges it afterwards, so a crash in
 * between causes a redelivery; RabbitMQ's own dead-lettering may lose it. Rejects if the broker cannot store it. If the dead-letter
 * queue is missing, closes the channel, and the next one declares the queue.
 */
export async function sendDeadLetter(
  place: { readonly namespace: string; readonly queue: QueueName; readonly channel: ConfirmChannel },
  { content, properties, fields }: ConsumeMessage,
  why: { readonly error: unknown; readonly tries: number },
): Promise<void> {
  const { namespace, queue, channel } = place;
  const to = { exchange: deadExchangeOf(namespace), key: queueOf(namespace, queue) };
  const isStored = await sendSafely(channel, to, content, {
    messageId: properties.messageId as unknown,
    // A replayed message was addressed to its queue; its type is a property.
    type: typeof properties.type === 'string' ? properties.type : fields.routingKey,
    headers: deadLetterHeaders(properties.headers, why),
  });
  if (isStored) return;
  await channel.close();
  throw new Error(`the dead letters of ${queue} have no queue`);
}
