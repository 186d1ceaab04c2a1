import type { Event } from '@covalence/contract/events';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import { Schema, type Model } from 'mongoose';
import type { Lease } from './lease.ts';
import type { Publisher } from './publisher.ts';

/** The outbox part of a document: events that the broker has not confirmed yet, and since when they wait. */
export interface WithOutbox {
  outbox?: Event[];
  outboxAt?: Date;
}

/** The outbox part of a mongoose schema; add `outboxIndex` too. */
export const outboxFields = {
  outbox: { type: [Schema.Types.Mixed], default: undefined },
  outboxAt: { type: Date },
};

/** The sparse index that the relay reads by. */
export const outboxIndex = [{ outboxAt: 1 }, { sparse: true }] as const;

/** The operators of an update that also puts events into the document's outbox, in the same atomic write. */
export function pushEvents(events: readonly Event[], at: Date): { $push: object; $set: { outboxAt: Date } } {
  return { $push: { outbox: { $each: events } }, $set: { outboxAt: at } };
}

/** Gets the events of one collection from its documents to the broker. */
export interface Outbox {
  /** Publishes events just written into a document, in the background; what fails is left to the relay. */
  publishSoon(documentId: unknown, events: readonly Event[]): void;
  /** Begins re-sending what was left over, under a lease so that one process at a time does. */
  startRelay(): void;
  /** Publishes everything that waits; returns how many documents it cleared. For the relay and for tests. */
  relayOnce(olderThan: Date): Promise<number>;
  /** Ends the relay and waits for what is under way. */
  close(): Promise<void>;
}

/** What an outbox works on. */
export interface OutboxOptions {
  readonly model: Model<WithOutbox>;
  readonly publisher: Publisher;
  readonly lease: Lease;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Milliseconds that an entry may wait before the relay takes it; default 3,000. */
  readonly graceMs?: number;
  /** Milliseconds between two looks of the relay; default 1,000. */
  readonly pollMs?: number;
}

const relayBatch = 200;

/** Creates the outbox of one collection. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { model, publisher, lease, logger, metrics, graceMs = 3_000, pollMs = 1_000 } = options;
  const underWay = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  const closing = new AbortController();

  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    void Promise.allSettled([work]).then(() => underWay.delete(work));
    return work;
  };

  const deliver = async (documentId: unknown, events: readonly Event[]): Promise<void> => {
    await Promise.all(events.map((event) => publisher.publish(event)));
    const ids = events.map((event) => event.id);
    const filter = { _id: documentId } as object;
    await model.updateOne(filter, { $pull: { outbox: { id: { $in: ids } } } }, { timestamps: false });
    // Only an outbox that is still empty: an event written meanwhile keeps its mark.
    await model.updateOne({ ...filter, outbox: { $size: 0 } }, { $unset: { outboxAt: 1, outbox: 1 } });
  };

  const relayOnce = async (olderThan: Date): Promise<number> => {
    const waiting = await model
      .find({ outboxAt: { $lte: olderThan } }, { outbox: 1 })
      .sort({ outboxAt: 1 })
      .limit(relayBatch)
      .lean();
    for (const { _id, outbox = [] } of waiting) await deliver(_id, outbox);
    metrics.relayed.inc({ collection: model.collection.name }, waiting.length);
    return waiting.length;
  };

  const look = async (): Promise<void> => {
    try {
      let more = await lease.hold();
      while (more && !closing.signal.aborted) {
        more = (await relayOnce(new Date(Date.now() - graceMs))) === relayBatch;
      }
    } catch (error) {
      logger.warn({ err: error }, 'outbox relay will try again');
    }
    if (!closing.signal.aborted) timer = setTimeout(() => void track(look()), pollMs);
  };

  return {
    publishSoon(documentId, events) {
      if (!events.length) return;
      track(deliver(documentId, events)).catch((error: unknown) =>
        logger.warn({ err: error }, 'event left to the outbox relay'),
      );
    },
    startRelay: () => void track(look()),
    relayOnce,
    async close() {
      closing.abort();
      clearTimeout(timer);
      await Promise.allSettled(underWay);
      await lease.release();
    },
  };
}
