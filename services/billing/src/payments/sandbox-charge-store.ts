import { retryOnDuplicateKey } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { Charge } from './provider.ts';

/** A charge of the sandbox provider. */
export interface SandboxCharge extends Charge {
  readonly member: number;
  readonly amount: number;
  readonly currency: string;
  readonly receipt: string;
}

interface SandboxDocument extends Omit<SandboxCharge, 'key'> {
  _id: string;
}

const schema = new Schema<SandboxDocument>(
  {
    ...required({ _id: String, reference: String, member: Number, amount: Number, currency: String }),
    receipt: { type: String, default: '' },
    status: { type: String, enum: ['pending', 'paid', 'declined'], required: true },
    refunded: { type: Number, required: true },
  },
  { collection: 'sandbox-charges', versionKey: false },
);
schema.index({ reference: 1 }, { unique: true });
schema.index({ member: 1 });

const asCharge = ({ _id, ...rest }: SandboxDocument): SandboxCharge => ({ key: _id, ...rest });

/** Creates the store on the service's database. */
export function createSandboxChargeStore(connection: Connection) {
  const model = connection.model('SandboxCharge', schema);

  const find = async (
    filter: { key: string } | { reference: string },
  ): Promise<SandboxCharge | undefined> => {
    const by = 'key' in filter ? { _id: filter.key } : filter;
    const found = await model.findOne(by).lean<SandboxDocument>();
    return found ? asCharge(found) : undefined;
  };

  return {
    find,
    /** Stores a charge; if its key exists, returns the stored one and `created` is false. */
    async book({ key, ...charge }: SandboxCharge): Promise<{ charge: SandboxCharge; created: boolean }> {
      // An upsert that only sets on insert: two concurrent calls get the same charge.
      const { upsertedCount } = await retryOnDuplicateKey(() =>
        model.updateOne({ _id: key }, { $setOnInsert: charge }, { upsert: true }),
      );
      const booked = await find({ key });
      if (!booked) throw new Error('the charge is missing from the ledger after it was written');
      return { charge: booked, created: upsertedCount > 0 };
    },
    async setStatus(key: string, status: Charge['status']) {
      await model.updateOne({ _id: key }, { $set: { status } });
    },
    async setRefunded(key: string, refunded: number) {
      await model.updateOne({ _id: key }, { $set: { refunded } });
    },
    async removeOf(member: number) {
      await model.deleteMany({ member });
    },
  };
}

/** The charges of the sandbox provider. */
export type SandboxChargeStore = ReturnType<typeof createSandboxChargeStore>;
