import { dayMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import { required, setOrRemove } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';

/** A member's result of the matching of a day. */
export interface MatchingResult {
  readonly member: number;
  /** High for members whom many want: only differences between members count. */
  readonly price: number;
  /** The other member of the pair of the day. */
  readonly pair?: number | undefined;
  /** Members whom the feed should show, also where no search finds them. */
  readonly suggested: readonly number[];
  /** Those of them who are owed a place in it. */
  readonly owed: readonly number[];
}

interface MatchingResultDocument extends Omit<MatchingResult, 'member'> {
  _id: number;
  day: string;
  expires: Date;
}

interface MarketDocument {
  _id: string;
  day: string;
}

const schema = new Schema<MatchingResultDocument>(
  {
    ...required({ _id: Number, price: Number, day: String, suggested: [Number], owed: [Number] }),
    ...required({ expires: Date }),
    pair: { type: Number },
  },
  { collection: 'standings', versionKey: false },
);
schema.index({ pair: 1 }, { sparse: true });
schema.index({ suggested: 1 });
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

const marketSchema = new Schema<MarketDocument>(required({ _id: String, day: String }), {
  collection: 'markets',
  versionKey: false,
});

/** Results outlast a day on which the matching fails. */
const keptMs = 3 * dayMs;

/** Prices and pairs of members, from the daily matching. */
export type MatchingResultStore = ReturnType<typeof createMatchingResultStore>;

/** Creates the store. */
export function createMatchingResultStore(connection: Connection, clock: Clock) {
  const model = connection.model('MatchingResult', schema);
  const markets = connection.model('Market', marketSchema);
  return {
    /** The day of the last matching of a group of sites that was completed. */
    lastDay: async (group: string): Promise<string | undefined> =>
      (await markets.findById(group).lean())?.day,
    /** Notes that the matching of a group is completed. */
    async complete(group: string, day: string): Promise<void> {
      await markets.updateOne({ _id: group }, { $set: { day } }, { upsert: true });
    },
    /** Replaces what is known of members. */
    async put(day: string, results: readonly MatchingResult[]): Promise<void> {
      const expires = new Date(clock().getTime() + keptMs);
      const writes = results.map(({ member: _id, pair, ...rest }) => {
        const update = setOrRemove({ ...rest, day, expires, pair });
        return { updateOne: { filter: { _id }, update, upsert: true } };
      });
      await model.bulkWrite(writes, { ordered: false });
    },
    /** The prices of members who have one. */
    async prices(members: readonly number[]): Promise<Map<number, number>> {
      const found = await model.find({ _id: { $in: members } }, { price: 1 }).lean();
      return new Map(found.map(({ _id, price }) => [_id, price]));
    },
    /** The pairs of members who have one. */
    async pairs(members: readonly number[]): Promise<Map<number, number>> {
      const found = await model.find({ _id: { $in: members } }, { pair: 1 }).lean();
      return new Map(found.flatMap(({ _id, pair }) => (pair === undefined ? [] : [[_id, pair]])));
    },
    /** A member's result. */
    find: async (member: number) =>
      (await model.findById(member).lean<MatchingResultDocument>()) ?? undefined,
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      const $in = [...members];
      await model.deleteMany({ _id: { $in } });
      await model.updateMany({ pair: { $in } }, { $unset: { pair: 1 } });
      await model.updateMany({ suggested: { $in } }, { $pull: { suggested: { $in }, owed: { $in } } });
    },
  };
}
