import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** A lease that one process at a time holds, e.g. to relay a collection's outbox. */
export type Lease = ReturnType<typeof createLease>;

interface LeaseDocument {
  _id: string;
  holder: string;
  until: Date;
}

const leaseSchema = new Schema<LeaseDocument>(
  { _id: { type: String, required: true }, holder: String, until: Date },
  { collection: 'leases', versionKey: false },
);

/** Creates a lease in the service's own database. If its holder dies, it expires after `ttlMs`. */
export function createLease(connection: Connection, name: string, ttlMs = 10_000) {
  const model = (connection.models['Lease'] as undefined | ReturnType<typeof declare>) ?? declare(connection);
  const holder = randomUUID();

  const renew = async (until: Date) =>
    (await model.updateOne({ _id: name, holder }, { $set: { until } })).matchedCount > 0;
  const takeOver = async (until: Date) =>
    (await model.updateOne({ _id: name, until: { $lt: new Date() } }, { $set: { holder, until } }))
      .matchedCount > 0;
  const create = (until: Date) => unlessDuplicate(model.create({ _id: name, holder, until }));

  return {
    /** Acquires or renews the lease; true if this process holds it. */
    async hold(): Promise<boolean> {
      const until = new Date(Date.now() + ttlMs);
      return (await renew(until)) || (await takeOver(until)) || create(until);
    },
    /** Releases the lease, so that another process need not wait until it expires. */
    async release(): Promise<void> {
      await model.deleteOne({ _id: name, holder }).catch(() => undefined);
    },
  };
}

function declare(connection: Connection) {
  return connection.model('Lease', leaseSchema);
}

/** Options of work under a lease that other processes take too. */
export interface LeaseOptions {
  readonly lease: Lease;
  /** How long to wait for another holder, ms. */
  readonly waitMs: number;
  /** Creates the error when another one holds it all that time. */
  readonly late: () => Error;
  /** Called once if another process holds it. */
  readonly onWait?: () => void;
  /** Renewal interval in ms; must be well below the duration of the lease. */
  readonly renewMs?: number;
}

const pollMs = 100;

async function take({ lease, waitMs, late, onWait }: LeaseOptions): Promise<void> {
  const until = Date.now() + waitMs;
  for (let first = true; !(await lease.hold()); first = false) {
    if (first) onWait?.();
    if (Date.now() >= until) throw late();
    await wait(pollMs);
  }
}

/**
 * Runs work while this process holds and renews a lease. The signal aborts when the lease is lost, e.g. after a database outage;
 * another process may then be at work.
 */
export async function underLease<T>(
  options: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { lease, renewMs = 3_000 } = options;
  await take(options);
  const lost = new AbortController();
  const renew = async () => {
    try {
      if (!(await lease.hold())) lost.abort(new Error('the lease was lost to another process'));
    } catch (error) {
      lost.abort(error);
    }
  };
  let renewal = Promise.resolve();
  const timer = setInterval(() => {
    renewal = renew();
  }, renewMs);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
    // A renewal after the release would take the lease again.
    await renewal;
    await lease.release();
  }
}
