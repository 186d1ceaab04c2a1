import type { Clock } from '@covalence/runtime/clock';
import { isDuplicateKey } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';

/** A member who newly fits a saved search. */
export interface NewMatch {
  readonly search: string;
  /** Whose search it is. */
  readonly searcher: number;
  readonly member: number;
  /** When the searcher may be told. */
  readonly due: Date;
  /** Whether it waits for `release`, at most until `due`. */
  readonly held: boolean;
}

interface MatchDocument {
  _id: string;
  search: string;
  searcher: number;
  member: number;
  due?: Date;
  held?: true;
  told_at?: Date;
  expires: Date;
}

const schema = new Schema<MatchDocument>(
  {
    _id: { type: String, required: true },
    search: { type: String, required: true },
    searcher: { type: Number, required: true },
    member: { type: Number, required: true },
    due: { type: Date },
    held: { type: Boolean },
    told_at: { type: Date },
    expires: { type: Date, required: true },
  },
  { collection: 'alert_matches', versionKey: false },
);
schema.index({ due: 1 }, { sparse: true });
schema.index({ search: 1, due: 1 });
schema.index({ searcher: 1, told_at: 1 });
schema.index({ member: 1 });
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

/** Nobody is told of the same member by the same search twice within this time. */
const rememberedMs = 90 * 86_400_000;

const idOf = (search: string, member: number) => `${search}:${member}`;

/** Members who newly fit saved searches: those that wait to be told, and those that were. */
export type MatchStore = ReturnType<typeof createMatchStore>;

/** Creates the store. */
export function createMatchStore(connection: Connection, clock: Clock) {
  const model = connection.model('AlertMatch', schema);
  return {
    /** Stores matches; those that are known stay as they are. */
    async add(matches: readonly NewMatch[]): Promise<void> {
      const expires = new Date(clock().getTime() + rememberedMs);
      const documents = matches.map(({ held, ...match }) => ({
        _id: idOf(match.search, match.member),
        ...match,
        ...(held && { held }),
        expires,
      }));
      await model.insertMany(documents, { ordered: false }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
    /** Makes matches of members that wait for the index due at a time. */
    async release(members: readonly number[], due: Date): Promise<void> {
      const untilThen = { member: { $in: [...members] }, held: true as const };
      await model.updateMany(untilThen, { $set: { due }, $unset: { held: 1 } });
    },
    /** Ids of the searches with matches that are due. */
    dueSearches: (now: Date): Promise<string[]> => model.distinct('search', { due: { $lte: now } }),
    /** Members of a search's matches that are due, the newest first, at most `most`. */
    async dueOf(search: string, now: Date, most: number): Promise<number[]> {
      const found = await model
        .find({ search, due: { $lte: now } }, { member: 1 })
        .sort({ due: -1, member: -1 })
        .limit(most)
        .lean();
      return found.map(({ member }) => member);
    },
    /** Marks matches of a search as told and deletes its others that were due. */
    async settle(search: string, told: readonly number[], now: Date): Promise<void> {
      const ids = told.map((member) => idOf(search, member));
      if (ids.length)
        await model.updateMany(
          { _id: { $in: ids } },
          { $set: { told_at: now }, $unset: { due: 1, held: 1 } },
        );
      await model.deleteMany({ search, due: { $lte: now } });
    },
    /** The matches that a member was told of, after `since` and up to `until`. */
    countTold: (searcher: number, since: Date, until: Date): Promise<number> =>
      model.countDocuments({ searcher, told_at: { $gt: since, $lte: until } }),
    /** What a member was told of, oldest first. */
    async listTold(searcher: number) {
      const found = await model
        .find({ searcher, told_at: { $exists: true } })
        .sort({ told_at: 1 })
        .lean();
      return found.map(({ search, member, told_at: at }) => ({ search, profileid: member, at }));
    },
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      const $in = [...members];
      await model.deleteMany({ $or: [{ searcher: { $in } }, { member: { $in } }] });
    },
  };
}
