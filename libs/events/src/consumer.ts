import { eventSchema, type Event } from '@covalence/contract/events';
import { jsonText } from '@covalence/runtime/json-text';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import { withRequestContext } from '@covalence/runtime/request-context';
import { isPeerDefect, isUnavailableError } from '@covalence/runtime/unavailable-error';
import { inSpan, traceOf, type SpanOptions } from '@covalence/runtime/tracing';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { closeInTime, type Broker } from './broker.ts';
import { sendDeadLetter } from './dead-letters/messages.ts';
import { watchDepth } from './queue-depth.ts';
import { queueOf, type QueueName } from './topology.ts';

/** A consumer of one queue. */
export interface ConsumerOptions {
  readonly queue: QueueName;
  /**
   * Handles a batch. An event can be delivered twice: state consumers compare versions, notification consumers deduplicate by event
   * id. While a store is unavailable the consumer retries; after any other error, a peer's 500 included, it retries a few times,
   * then the event becomes a dead letter.
   */
  readonly handle: (events: Event[]) => Promise<void>;
  /** Events gathered into one call: at most `size`, for at most `waitMs` after the first. */
  readonly batch: { readonly size: number; readonly waitMs: number };
  /** Interval of the queue depth metric, ms; default 5,000. */
  readonly depthEveryMs?: number;
  /** First pause before a retry, ms; doubles up to 5 s; default 100. */
  readonly retryMs?: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A running consumer. */
export type Consumer = ReturnType<typeof createConsumer>;

interface Delivery {
  readonly channel: ConfirmChannel;
  readonly message: ConsumeMessage;
  readonly event: Event;
}

/** The number of failed attempts, and the last error. */
interface GivenUp {
  readonly tries: number;
  readonly error: unknown;
}

const attempts = 5;
const longestPauseMs = 5_000;
const confirmLimitMs = 10_000;

const eventText = jsonText.pipe(eventSchema);

/** A batch continues the trace of its first event and links those of the others. */
function spanOf(queue: QueueName, [first, ...others]: readonly Event[]): SpanOptions {
  return {
    name: `process ${queue}`,
    kind: 'consumer',
    within: traceOf({ traceparent: first?.traceparent }),
    alsoFor: others.flatMap(({ traceparent = [] }) => traceparent),
    attributes: {
      'messaging.system': 'rabbitmq',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': queue,
      'messaging.batch.message_count': others.length + 1,
    },
  };
}

/** Answers on a channel that may have closed: then the broker redelivers the message. */
const settle = (answer: () => void): void => {
  try {
    answer();
  } catch {
    // The broker redelivers.
  }
};

/** Starts consuming a queue. Batches run one after the other, in the order of the queue. */
export function createConsumer(broker: Broker, options: ConsumerOptions) {
  const { queue, handle, batch, logger, metrics, retryMs = 100 } = options;
  const stopping = new AbortController();
  let waiting: Delivery[] = [];
  let underWay = 0;
  let wake = Promise.withResolvers<void>();
  /** Messages whose dead letter is not stored yet: an acknowledgment of several must not include them. */
  let deadLettering = new Set<ConsumeMessage>();

  const pause = (attempt: number) =>
    wait(Math.min(retryMs * 2 ** attempt, longestPauseMs), undefined, { signal: stopping.signal }).catch(
      () => undefined,
    );

  /** Handles events with retries. Undefined on success; otherwise they become dead letters or, at shutdown, return to the queue. */
  const handleWithRetries = async (events: Event[]): Promise<GivenUp | undefined> => {
    for (let attempt = 0, failures = 0; !stopping.signal.aborted; attempt += 1) {
      try {
        const requestId = events[0]?.request_id ?? randomUUID();
        await withRequestContext({ requestId }, () => inSpan(spanOf(queue, events), () => handle(events)));
        return undefined;
      } catch (error) {
        const unavailable = isUnavailableError(error) && !isPeerDefect(error);
        logger.warn({ err: error, queue, unavailable, events: events.length }, 'event handling failed');
        if (!unavailable && (failures += 1) >= (events.length > 1 ? 1 : attempts)) {
          return { tries: attempt + 1, error };
        }
        await pause(attempt);
      }
    }
    return { tries: 0, error: 'stopping' };
  };

  /** Moves a message to the dead letters. If that fails, the broker redelivers it. */
  const reject = async (channel: ConfirmChannel, message: ConsumeMessage, why: GivenUp) => {
    const pending = deadLettering.add(message);
    try {
      await sendDeadLetter({ namespace: broker.namespace, queue, channel }, message, why);
      settle(() => channel.ack(message));
      pending.delete(message);
    } catch (error) {
      logger.warn(
        { err: error, queue, message_id: message.properties.messageId },
        'dead letter not stored; the message is redelivered',
      );
    }
  };

  const count = (deliveries: readonly Delivery[], outcome: string) => {
    for (const { event } of deliveries) metrics.events.inc({ type: event.type, outcome, queue });
  };

  /** Acknowledges a batch with one answer if possible: each answer is an entry in the log of a quorum queue. */
  const acknowledge = (deliveries: readonly Delivery[]) => {
    const answered = deadLettering.size ? deliveries : deliveries.slice(-1);
    for (const { channel, message } of answered) settle(() => channel.ack(message, !deadLettering.size));
  };

  const process = async (deliveries: Delivery[]): Promise<void> => {
    const givenUp = await handleWithRetries(deliveries.map(({ event }) => event));
    if (!givenUp) {
      count(deliveries, 'consumed');
      for (const { event } of deliveries) {
        metrics.eventLag.observe({ queue }, Math.max(0, Date.now() - Date.parse(event.at)) / 1_000);
      }
      acknowledge(deliveries);
      return;
    }
    if (stopping.signal.aborted) return;
    if (deliveries.length > 1) {
      // Retry each alone, so that only the faulty one fails.
      for (const delivery of deliveries) await process([delivery]);
      return;
    }
    count(deliveries, 'dead');
    for (const { channel, message } of deliveries) await reject(channel, message, givenUp);
  };

  const pump = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (!waiting.length) await wake.promise;
      if (batch.waitMs && waiting.length < batch.size) {
        await wait(batch.waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
      const deliveries = waiting.splice(0, batch.size);
      if (!waiting.length) wake = Promise.withResolvers();
      underWay = deliveries.length;
      if (underWay && !stopping.signal.aborted) await process(deliveries);
      underWay = 0;
    }
  };

  const receive = (channel: ConfirmChannel, message: ConsumeMessage | null): void => {
    if (!message) {
      // The broker canceled the consumer, e.g. the queue was deleted. The next channel declares it again.
      logger.warn({ queue }, 'rabbitmq consumer canceled');
      void channel.close().catch(() => undefined);
      return;
    }
    const event = eventText.safeParse(message.content.toString('utf8')).data;
    if (!event) {
      logger.error({ queue, message_id: message.properties.messageId }, 'event does not parse');
      metrics.events.inc({ type: 'unknown', outcome: 'dead', queue });
      void reject(channel, message, { tries: 1, error: 'not an event of this version' });
      return;
    }
    waiting.push({ channel, message, event });
    wake.resolve();
  };

  const depth = watchDepth({
    namespace: broker.namespace,
    queue,
    taken: () => waiting.length + underWay,
    metrics,
    everyMs: options.depthEveryMs ?? 5_000,
  });
  const wrapper = broker.openChannel({
    confirm: true,
    publishTimeout: confirmLimitMs,
    setup: async (channel) => {
      // Messages of an earlier channel are redelivered on this one.
      waiting = [];
      deadLettering = new Set();
      // Each pending dead letter has a listener for returned messages.
      channel.setMaxListeners(0);
      await broker.prepare(channel);
      await channel.prefetch(batch.size * 2);
      await channel.consume(queueOf(broker.namespace, queue), (message) => receive(channel, message));
      depth.lookOn(channel);
    },
  });
  const pumping = pump();

  return {
    /** Stops consuming and waits for the current batch; unhandled messages return to the queue. */
    async close(): Promise<void> {
      stopping.abort();
      wake.resolve();
      await pumping;
      depth.close();
      await closeInTime(wrapper.close());
    },
  };
}
