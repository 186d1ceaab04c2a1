import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import type { VisibleSource } from '../index/member-document.ts';

/** What the criteria of others are compared with for a whole day: the member at the first call of the day, without texts. */
export type DayFacts = Pick<
  VisibleSource,
  'date_of_birth' | 'zodiac' | 'joined' | 'position' | 'country' | 'state' | 'zip' | 'traits'
>;

/** A member's feed of a day. */
export interface Feed {
  readonly day: string;
  readonly seen_as: DayFacts;
  /** What the part of chance is drawn with, which nobody outside knows. */
  readonly seed: string;
  /** What the list was drawn for; another one draws it again. Absent until the first draw. */
  readonly basis?: string | undefined;
  /** Members in their order. */
  readonly members: readonly number[];
}

interface FeedDocument {
  _id: number;
  day: string;
  seen_as: DayFacts;
  seed: string;
  basis?: string;
  members: number[];
  expires: Date;
}

const schema = new Schema<FeedDocument>(
  {
    _id: { type: Number, required: true },
    day: { type: String, required: true },
    seen_as: { type: Schema.Types.Mixed, required: true },
    seed: { type: String, required: true },
    basis: { type: String },
    members: { type: [Number], required: true },
    expires: { type: Date, required: true },
  },
  { collection: 'feeds', versionKey: false, minimize: false },
);
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

/** A feed is of no use after its day. */
const keptMs = 2 * 86_400_000;

/** The feeds of members, one each. */
export type FeedStore = ReturnType<typeof createFeedStore>;

/** Creates the store. */
export function createFeedStore(connection: Connection, clock: Clock) {
  const model = connection.model('Feed', schema);
  const find = async (member: number): Promise<Feed | undefined> =>
    (await model.findById(member).lean<FeedDocument>()) ?? undefined;
  return {
    find,
    /** The feed of the day, which begins with these facts unless it has begun. */
    async open(member: number, day: string, facts: DayFacts): Promise<Feed> {
      const found = await find(member);
      if (found?.day === day) return found;
      const begun = {
        day,
        seen_as: facts,
        seed: randomUUID(),
        members: [],
        expires: new Date(clock().getTime() + keptMs),
      };
      // A concurrent call that began the day makes this a duplicate.
      await unlessDuplicate(
        model.updateOne(
          { _id: member, day: { $ne: day } },
          { $set: begun, $unset: { basis: 1 } },
          { upsert: true },
        ),
      );
      return (await find(member)) ?? begun;
    },
    /** Stores the list that was drawn, unless the day is over. */
    async draw(member: number, day: string, basis: string, members: readonly number[]): Promise<void> {
      await model.updateOne({ _id: member, day }, { $set: { basis, members: [...members] } });
    },
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      const $in = [...members];
      await model.deleteMany({ _id: { $in } });
      await model.updateMany({ members: { $in } }, { $pull: { members: { $in } } });
    },
  };
}
