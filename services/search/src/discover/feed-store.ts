import { dayMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';

/** A member's feed of a day. */
export interface Feed {
  /** Identifies the list in cursors: random, because a hash of the members would reveal them. */
  readonly list: string;
  readonly day: string;
  /** Hash of everything by which the member looks for others; another value causes a new feed. */
  readonly basis: string;
  /** Members in their order. */
  readonly members: readonly number[];
}

interface FeedDocument extends Feed {
  _id: number;
  expires: Date;
}

const schema = new Schema<FeedDocument>(
  required({ _id: Number, list: String, day: String, basis: String, members: [Number], expires: Date }),
  { collection: 'feeds', versionKey: false },
);
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

/** A feed is of no use after its day. */
const keptMs = 2 * dayMs;

/** The feeds of members, one each. */
export type FeedStore = ReturnType<typeof createFeedStore>;

/** Creates the store. */
export function createFeedStore(connection: Connection, clock: Clock) {
  const model = connection.model('Feed', schema);
  return {
    find: async (member: number): Promise<Feed | undefined> =>
      (await model.findById(member).lean<FeedDocument>()) ?? undefined,
    /** Stores a list, unless there is one of a later day. */
    async put(member: number, feed: Feed): Promise<void> {
      const $set = { ...feed, expires: new Date(clock().getTime() + keptMs) };
      await unlessDuplicate(
        model.updateOne({ _id: member, day: { $lte: feed.day } }, { $set }, { upsert: true }),
      );
    },
    /** Deletes the feeds of deleted members. In those of others their numbers expire, which no call shows any more. */
    async forget(members: readonly number[]): Promise<void> {
      await model.deleteMany({ _id: { $in: members } });
    },
  };
}
