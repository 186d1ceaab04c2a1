import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';

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
