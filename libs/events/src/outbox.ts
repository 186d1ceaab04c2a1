import type { Event } from '@covalence/contract/events';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import { Schema, type Model } from 'mongoose';
import { setTimeout as wait } from 'node:timers/promises';
import type { Lease } from './lease.ts';
import { always, startPeriodic, type MayGoOn, type Periodic } from './periodic.ts';
import { Unroutable, type Publisher } from './publisher.ts';

/** The outbox of a document: events that the broker has not confirmed yet, and since when they wait. */
export interface WithOutbox {
  outbox?: Event[];
  outboxAt?: Date;
}

/** The outbox fields of a mongoose schema; add `outboxIndex` too. */
export const outboxFields = {
  outbox: { type: [Schema.Types.Mixed], default: undefined },
  outboxAt: { type: Date },
};

/** The sparse index that the relay reads by. */
export const outboxIndex = [{ outboxAt: 1 }, { sparse: true }] as const;

/** Update operators that push events into the document's outbox, in the same atomic write. */
export function pushEvents(events: readonly Event[], at: Date): { $push: object; $set: { outboxAt: Date } } {
  return { $push: { outbox: { $each: events } }, $set: { outboxAt: at } };
}

/** A document and the events that were written into it. */
type OutboxEntry = {
  readonly documentId: unknown;
  readonly events: readonly Event[];
};

/** Publishes the events in the documents of one collection. */
export type Outbox = ReturnType<typeof createOutbox>;

/** Options of an outbox. */
interface OutboxOptions {
  readonly model: Model<WithOutbox>;
  readonly publisher: Publisher;
  readonly lease: Lease;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Selects the shards of some documents, where the collection is sharded by another field than `_id`. */
  readonly shardsOf?: ((documentIds: readonly unknown[]) => object) | undefined;
  /** Age at which the relay publishes an entry, ms; default 3,000. */
  readonly graceMs?: number;
  /** Interval of the relay, ms; default 1,000. */
  readonly pollMs?: number;
}

const relayBatch = 200;

/** Time for which published events wait for others, so that one write clears several documents, ms. */
const gatherMs = 50;

/** Entries that are counted at most. */
const countLimit = 1_000;

/** Counts the documents of some outboxes with events that wait, up to 1,000, and reads the time of the oldest. */
export async function outboxState(outboxes: readonly Outbox[]) {
  const states = await Promise.all(outboxes.map((outbox) => outbox.state()));
  const since = states.flatMap(({ oldest }) => oldest ?? []).map((at) => at.getTime());
  return {
    waiting: Math.min(
      countLimit,
      states.reduce((sum, { waiting }) => sum + waiting, 0),
    ),
    oldest: since.length ? new Date(Math.min(...since)).toISOString() : null,
  };
}

/** Removes confirmed events from their outboxes, and other fields. An event that was written meanwhile stays, with `outboxAt`, and so do those fields. */
async function clear(
  { model, shardsOf }: Pick<OutboxOptions, 'model' | 'shardsOf'>,
  sent: readonly OutboxEntry[],
  others: readonly string[],
): Promise<void> {
  const idsOf = (entries: readonly OutboxEntry[]) =>
    entries.flatMap(({ events }) => events.map(({ id }) => id));
  const filterOf = (entries: readonly OutboxEntry[]): object => {
    const ids = entries.map(({ documentId }) => documentId);
    return { _id: { $in: ids }, ...shardsOf?.(ids) };
  };
  const gone = ['outbox', 'outboxAt', ...others].map((name) => [name, 1]);
  const emptied = { $unset: Object.fromEntries(gone) as object };
  // Usually an outbox holds one event: one write instead of two.
  const single = sent.filter(({ events }) => events.length === 1);
  const alone = { ...filterOf(single), outbox: { $size: 1 }, 'outbox.id': { $in: idsOf(single) } };
  const { matchedCount } = single.length ? await model.updateMany(alone, emptied) : { matchedCount: 0 };
  if (matchedCount === sent.length) return;
  await model.updateMany(
    filterOf(sent),
    { $pull: { outbox: { id: { $in: idsOf(sent) } } } },
    { timestamps: false },
  );
  await model.updateMany({ ...filterOf(sent), outbox: { $size: 0 } }, emptied);
}

/** Creates the outbox of one collection. */
export function createOutbox(options: OutboxOptions) {
  const { model, publisher, lease, logger, metrics, graceMs = 3_000, pollMs = 1_000 } = options;
  const underWay = new Set<Promise<unknown>>();
  let relay: Periodic | undefined;

  /** The next clearing: entries by the other fields that it removes. */
  let gathered:
    | { readonly entries: Map<string, OutboxEntry[]>; readonly cleared: Promise<unknown> }
    | undefined;

  const gather = () => {
    const entries = new Map<string, OutboxEntry[]>();
    const cleared = wait(gatherMs).then(() => {
      gathered = undefined;
      return Promise.all(
        [...entries].map(([others, sent]) => clear(options, sent, others.split(' ').filter(Boolean))),
      );
    });
    return { entries, cleared };
  };

  const clearSoon = async (sent: readonly OutboxEntry[], others: readonly string[] = []): Promise<void> => {
    gathered ??= gather();
    const { entries, cleared } = gathered;
    const name = others.join(' ');
    entries.set(name, [...(entries.get(name) ?? []), ...sent]);
    await cleared;
  };

  /** Publishes entries in parallel, and clears those that were sent; returns the documents whose events are unroutable. */
  const deliver = async (
    entries: readonly OutboxEntry[],
    cleared: (sent: readonly OutboxEntry[]) => Promise<void>,
  ): Promise<unknown[]> => {
    const outcomes = await Promise.allSettled(
      entries.map(({ events }) => Promise.all(events.map((event) => publisher.publish(event)))),
    );
    const sent = entries.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    if (sent.length) await cleared(sent);
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined));
    const failed: unknown = reasons.find((reason) => reason && !(reason instanceof Unroutable));
    if (failed) throw failed;
    const stuck = entries.filter((_, index) => reasons[index]).map(({ documentId }) => documentId);
    if (stuck.length)
      logger.error(
        { err: reasons.find(Boolean), documents: stuck.length },
        'event not routed: no queue is bound; run covalence events declare',
      );
    return stuck;
  };

  /** Publishes new events of several documents in the background; the relay retries failures. */
  const publishManySoon = (entries: readonly OutboxEntry[], others?: readonly string[]): void => {
    const waiting = entries.filter(({ events }) => events.length);
    if (!waiting.length) return;
    const publishing: Promise<unknown> = deliver(waiting, (sent) => clearSoon(sent, others))
      .catch((error: unknown) => logger.warn({ err: error }, 'event left to the outbox relay'))
      .finally(() => underWay.delete(publishing));
    underWay.add(publishing);
  };

  /**
   * Publishes events that wait since `olderThan` or longer, page by page while `mayGoOn` resolves true, and returns the number of
   * cleared documents. An unroutable event stays and does not block others. Rejects while the broker is unavailable.
   */
  const relayOnce = async (olderThan: Date, mayGoOn: MayGoOn = always): Promise<number> => {
    const stuck: unknown[] = [];
    let cleared = 0;
    for (;;) {
      const filter = {
        outboxAt: { $lte: olderThan },
        ...(stuck.length && { _id: { $nin: stuck } }),
      } as object;
      const waiting = await model.find(filter, { outbox: 1 }).sort({ outboxAt: 1 }).limit(relayBatch).lean();
      const left = await deliver(
        waiting.map(({ _id, outbox = [] }) => ({ documentId: _id, events: outbox })),
        (sent) => clear(options, sent, []),
      );
      stuck.push(...left);
      cleared += waiting.length - left.length;
      metrics.relayed.inc({ collection: model.collection.name }, waiting.length - left.length);
      if (waiting.length < relayBatch || !(await mayGoOn())) return cleared;
    }
  };

  const work = async (mayGoOn: MayGoOn): Promise<void> => {
    await relayOnce(new Date(Date.now() - graceMs), mayGoOn);
  };

  return {
    /** The same of one document. The write that removes the events removes other fields, too. */
    publishSoon: (documentId: unknown, events: readonly Event[], others?: readonly string[]) =>
      publishManySoon([{ documentId, events }], others),
    publishManySoon: (entries: readonly OutboxEntry[]) => publishManySoon(entries),
    /** Starts the relay, which publishes leftover events. A lease lets one process at a time do so. */
    startRelay(): void {
      relay = startPeriodic({
        name: `outbox of ${model.collection.name}`,
        everyMs: pollMs,
        lease,
        work,
        logger,
        metrics,
      });
    },
    relayOnce,
    /** The number of documents with events that wait, and the time of the oldest. */
    async state(): Promise<{ readonly waiting: number; readonly oldest: Date | undefined }> {
      const filter = { outboxAt: { $lte: new Date() } } as object;
      const [[oldest], waiting] = await Promise.all([
        model.find(filter, { outboxAt: 1 }).sort({ outboxAt: 1 }).limit(1).lean(),
        model.countDocuments(filter).limit(countLimit),
      ]);
      return { waiting, oldest: oldest?.outboxAt };
    },
    /** Stops the relay and waits for pending publishes. */
    async close(): Promise<void> {
      await relay?.close();
      await Promise.all(underWay);
    },
  };
}
