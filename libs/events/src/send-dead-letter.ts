import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { deadLetterHeaders } from './dead-letter-headers.ts';
import { deadExchangeOf, queueOf, type QueueName } from './topology.ts';

/** The dead-letter queue is missing. */
class NoDeadQueue extends Error {
  constructor(queue: QueueName) {
    super(`the dead letters of ${queue} have no queue`);
    this.name = 'NoDeadQueue';
  }
}

/** Publishes to an exchange ('' addresses a queue by name); resolves once the broker has stored the message in a queue. */
export async function sendSafely(
  channel: ConfirmChannel,
  to: { readonly exchange: string; readonly key: string; readonly missing: () => Error },
  content: Buffer,
  properties: { readonly messageId: unknown; readonly type: string; readonly headers: object },
): Promise<void> {
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
        error ? reject(error instanceof Error ? error : new Error('not confirmed')) : resolve(),
      );
    });
  } finally {
    channel.off('return', note);
  }
  if (returned) throw to.missing();
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
  const to = {
    exchange: deadExchangeOf(namespace),
    key: queueOf(namespace, queue),
    missing: () => new NoDeadQueue(queue),
  };
  try {
    await sendSafely(channel, to, content, {
      messageId: properties.messageId as unknown,
      // A replayed message was addressed to its queue; its type is a property.
      type: typeof properties.type === 'string' ? properties.type : fields.routingKey,
      headers: deadLetterHeaders(properties.headers, why),
    });
  } catch (error) {
    if (error instanceof NoDeadQueue) await channel.close();
    throw error;
  }
}
