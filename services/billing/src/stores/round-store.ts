import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { StoreName } from './store.ts';

interface RoundDocument {
  /** Name of the store. */
  _id: string;
  until: Date;
}

const schema = new Schema<RoundDocument>(required({ _id: String, until: Date }), {
  collection: 'store-rounds',
  versionKey: false,
});

/** Creates the store on the service's database. */
export function createRoundStore(connection: Connection) {
  const model = connection.model('StoreRound', schema);
  return {
    /** Until when the missed notifications of a store were read. */
    async lastOf(store: StoreName): Promise<Date | undefined> {
      return (await model.findById(store).lean<RoundDocument>())?.until;
    },
    async set(store: StoreName, until: Date) {
      await model.updateOne({ _id: store }, { $max: { until } }, { upsert: true });
    },
  };
}

/** Stores how far the missed notifications of each store were read. */
export type RoundStore = ReturnType<typeof createRoundStore>;
