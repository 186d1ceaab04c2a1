import { dayMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import { chunks } from '@covalence/runtime/chunks';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';

/** A member who newly fits a saved search. */
export interface NewMatch {
  readonly search: string;
  /** The member who saved the search. */
  readonly searcher: number;
  readonly member: number;
  /** The earliest time of the notification. */
  readonly due: Date;
  /** Whether it waits for `release`, at most until `due`. */
  readonly held: boolean;
}

interface MatchDocument extends Omit<NewMatch, 'due' | 'held'> {
  _id: string;
  due?: Date;
  held?: true;
  noted_at: Date;
  told_at?: Date;
  expires: Date;
}

const schema = new Schema<MatchDocument>(
  {
    ...required({ _id: String, search: String, searcher: Number, member: Number, noted_at: Date }),
    ...required({ expires: Date }),
    due: { type: Date },
    held: { type: Boolean },
    told_at: { type: Date },
  },
  { collection: 'alert_matches', versionKey: false },
);
schema.index({ due: 1 }, { sparse: true });
schema.index({ search: 1, due: 1 });
schema.index({ searcher: 1, told_at: 1 });
schema.index({ member: 1, held: 1 });
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

/** A searcher is not notified of the same member twice within this time, whatever the search. */
const rememberedMs = 90 * dayMs;

/** A match that the search does not find is looked at again for this long, at this interval: the index may be late. */
const againMs = { for: 600_000, every: 60_000 };

const perInsert = 1_000;

const idOf = (searcher: number, member: number) => `${searcher}:${member}`;

/** Members who newly fit saved searches: those whose notification is due later, and those of whom it was sent. */
export type MatchStore = ReturnType<typeof createMatchStore>;

/** Creates the store. */
export function createMatchStore(connection: Connection, clock: Clock) {
  const model = connection.model('AlertMatch', schema);
  return {
    /** Stores matches; those of a searcher and a member that are known stay as they are. */
    async add(matches: readonly NewMatch[]): Promise<void> {
      const noted_at = clock();
      const expires = new Date(noted_at.getTime() + rememberedMs);
      const documents = matches.map(({ held, ...match }) => ({
        _id: idOf(match.searcher, match.member),
        ...match,
        ...(held && { held }),
        noted_at,
        expires,
      }));
      for (const some of chunks(documents, perInsert))
        await unlessDuplicate(model.insertMany(some, { ordered: false, lean: true }));
    },
    /** Makes matches of members that wait for the index due at a time. */
    async release(members: readonly number[], due: Date): Promise<void> {
      const held = { member: { $in: members }, held: true as const };
      await model.updateMany(held, { $set: { due }, $unset: { held: 1 } });
    },
    /** The searches of up to `most` matches that are due, those that became due last first. */
    async dueSearches(now: Date, most: number): Promise<string[]> {
      const found = await model
        .find({ due: { $lte: now } }, { search: 1 })
        .sort({ due: -1 })
        .limit(most)
        .lean();
      return [...new Set(found.map(({ search }) => search))];
    },
    /** Members of a search's matches that are due, the newest first, at most `most`. */
    async dueOf(search: string, now: Date, most: number): Promise<number[]> {
      const found = await model
        .find({ search, due: { $lte: now } }, { member: 1 })
        .sort({ due: -1, member: -1 })
        .limit(most)
        .lean();
      return found.map(({ member }) => member);
    },
    /** Postpones the matches of a search that are due, because they cannot be looked at now. */
    async postpone(search: string, now: Date): Promise<void> {
      const due = new Date(now.getTime() + againMs.for);
      await model.updateMany({ search, due: { $lte: now } }, { $set: { due } });
    },
    /** The notifications of a search since a time. */
    countSent: (searcher: number, search: string, since: Date): Promise<number> =>
      model.countDocuments({ searcher, search, told_at: { $gt: since } }),
    /**
     * Notes of which members the searcher was notified and which are left out. The others that were looked at are looked at again for
     * some minutes, then deleted.
     */
    async settle(
      searcher: number,
      looked: readonly number[],
      { notified, leftOut }: { readonly notified: readonly number[]; readonly leftOut: readonly number[] },
    ): Promise<void> {
      const now = clock();
      const $in = (members: readonly number[]) => members.map((member) => idOf(searcher, member));
      if (notified.length) {
        const $unset = { due: 1, held: 1 };
        await model.updateMany({ _id: { $in: $in(notified) }, searcher }, { $set: { told_at: now }, $unset });
      }
      const others = looked.filter((member) => !notified.includes(member) && !leftOut.includes(member));
      const old = { $in: $in(others) };
      const noted_at = { $lte: new Date(now.getTime() - againMs.for) };
      await model.deleteMany({ searcher, $or: [{ _id: { $in: $in(leftOut) } }, { _id: old, noted_at }] });
      const due = new Date(now.getTime() + againMs.every);
      if (others.length) await model.updateMany({ _id: old, searcher }, { $set: { due } });
    },
    /** Deletes the matches of a search that is gone whose notification was not sent. */
    async drop(search: string): Promise<void> {
      await model.deleteMany({ search, due: { $exists: true } });
    },
    /** The matches of which a member was notified, after `since` and up to `until`. */
    countNotified: (searcher: number, since: Date, until: Date): Promise<number> =>
      model.countDocuments({ searcher, told_at: { $gt: since, $lte: until } }),
    /** Whether a member was notified of another. */
    wasNotified: async (searcher: number, member: number): Promise<boolean> =>
      (await model.exists({ _id: idOf(searcher, member), searcher, told_at: { $exists: true } })) !== null,
    /** When a member was notified of matches, oldest first. */
    async listNotified(searcher: number) {
      const found = await model
        .find({ searcher, told_at: { $exists: true } }, { search: 1, told_at: 1 })
        .sort({ told_at: 1 })
        .lean();
      return found.map(({ search, told_at: at }) => ({ search, at }));
    },
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      const $in = [...members];
      await model.deleteMany({ $or: [{ searcher: { $in } }, { member: { $in } }] });
    },
  };
}
