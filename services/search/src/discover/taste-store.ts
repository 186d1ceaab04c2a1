import { dayMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import { required, subdocument } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { activeDays } from './chances.ts';
import type { Taste } from './tastes.ts';

interface TastesDocument {
  _id: number;
  tastes: Taste[];
  expires: Date;
}

const taste = subdocument(required({ field: String, value: String, weight: Number }));

const schema = new Schema<TastesDocument>(
  { ...required({ _id: Number, tastes: [taste], expires: Date }) },
  { collection: 'tastes', versionKey: false },
);
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

/** The tastes of members as their last feed learned them, for the feeds of others. */
export type TasteStore = ReturnType<typeof createTasteStore>;

/** Creates the store. */
export function createTasteStore(connection: Connection, clock: Clock) {
  const model = connection.model('Tastes', schema);
  return {
    /** Replaces the tastes of a member. */
    async put(member: number, tastes: readonly Taste[]): Promise<void> {
      const expires = new Date(clock().getTime() + activeDays * dayMs);
      await model.updateOne({ _id: member }, { $set: { tastes: [...tastes], expires } }, { upsert: true });
    },
    /** The tastes of members who have some. */
    async read(members: readonly number[]): Promise<Map<number, readonly Taste[]>> {
      const found = await model.find({ _id: { $in: members } }, { tastes: 1 }).lean<TastesDocument[]>();
      return new Map(found.map(({ _id, tastes }) => [_id, tastes]));
    },
    /** Deletes the tastes of members. */
    async forget(members: readonly number[]): Promise<void> {
      await model.deleteMany({ _id: { $in: members } });
    },
  };
}
