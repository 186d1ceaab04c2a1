import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { deadLetterHeaders } from './dead-letter-headers.ts';
import { deadExchangeOf, queueOf, type QueueName } from './topology.ts';

/** The queue of the dead letters is not there. */
class NoDeadQueue extends Error {
  constructor(queue: QueueName) {
    super(`the dead letters of ${queue} have no queue`);
    this.name = 'NoDeadQueue';
  }
}

/** Sends a message to an exchange, '' for a queue by its name; resolves once a queue of the broker has it for good. */
export async function sendSafely(
  channel: ConfirmChannel,
  to: { readonly exchange: string; readonly key: string; readonly missing: () => Error },
  content: Buffer,
  properties: { readonly messageId: unknown; readonly type: string; readonly headers: object },
): Promise<void> {
  const { messageId, type, headers } = properties;
  let returned = false;
  const note = () => (returned = true);
  // What no queue takes comes back before it is confirmed. Of several under way none is taken for sent then.
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
        error ? reject(error instanceof Error ? error : new Error('not confirmed')) : resolve(),
      );
    });
  } finally {
    channel.off('return', note);
  }
  if (returned) throw to.missing();
}

/**
 * Gives a message to the dead letters of its queue, with a note of why. It leaves its queue when it is there for good (the
 * broker's own way is not that careful), so that one cut short comes again. Rejects where it cannot be done now; without a
 * queue for it the channel is closed, and the next one declares the queue.
 */
export async function sendDeadLetter(
  place: { readonly namespace: string; readonly queue: QueueName; readonly channel: ConfirmChannel },
  { content, properties, fields }: ConsumeMessage,
  why: { readonly error: unknown; readonly tries: number },
): Promise<void> {
  const { namespace, queue, channel } = place;
  const to = {
    exchange: deadExchangeOf(namespace),
    key: queueOf(namespace, queue),
    missing: () => new NoDeadQueue(queue),
  };
  try {
    await sendSafely(channel, to, content, {
      messageId: properties.messageId as unknown,
      // One that was replayed is addressed to its queue and has its type noted.
      type: typeof properties.type === 'string' ? properties.type : fields.routingKey,
      headers: deadLetterHeaders(properties.headers, why),
    });
  } catch (error) {
    if (error instanceof NoDeadQueue) await channel.close();
    throw error;
  }
}
