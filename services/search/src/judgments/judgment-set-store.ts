import { chunks } from '@covalence/runtime/chunks';
import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import type { SortBy } from '../relevance/sort.ts';

/** A set of searches whose results are graded, of one site. */
export interface JudgmentSetEntry {
  readonly id: string;
  readonly siteid: number;
  readonly name: string;
  readonly at: Date;
}

/** A search of a set. */
export interface SetSearch {
  readonly id: string;
  readonly name: string;
  /** The searcher. */
  readonly member: number;
  readonly criteria: Record<string, unknown>;
  readonly sortby: SortBy;
}

/** A grade of a result, by a rater: the UUID of a staff account, or a column of an imported file. */
export interface Rating {
  readonly search: string;
  readonly member: number;
  readonly rater: string;
  readonly grade: number;
}

/** A grade to store; null deletes the one that the rater gave. */
export interface GivenRating extends Omit<Rating, 'grade'> {
  readonly grade: number | null;
  /** The searcher, with whom the grade is erased too. */
  readonly searcher: number;
}

type SetDocument = Omit<JudgmentSetEntry, 'id'> & {
  _id: string;
  /** While the set runs: when another run may begin all the same, should the process of this one have died. */
  running_until?: Date;
};

interface SearchDocument extends Omit<SetSearch, 'id' | 'criteria'> {
  _id: string;
  set: string;
  /** As text, because a value in it may have any names. */
  criteria: string;
  at: Date;
}

type RatingDocument = Rating & { _id: string; set: string; searcher: number };

const setSchema = new Schema<SetDocument>(
  { ...required({ _id: String, siteid: Number, name: String, at: Date }), running_until: Date },
  { collection: 'judgment_sets', versionKey: false },
);
setSchema.index({ siteid: 1, name: 1 }, { unique: true });

const searchSchema = new Schema<SearchDocument>(
  {
    ...required({ _id: String, set: String, name: String, member: Number }),
    ...required({ criteria: String, sortby: String, at: Date }),
  },
  { collection: 'judged_searches', versionKey: false },
);
searchSchema.index({ set: 1, name: 1 }, { unique: true });
searchSchema.index({ member: 1 });

const ratingSchema = new Schema<RatingDocument>(
  {
    ...required({ _id: String, set: String, search: String, member: Number }),
    ...required({ rater: String, grade: Number, searcher: Number }),
  },
  { collection: 'ratings', versionKey: false },
);
ratingSchema.index({ set: 1 });
ratingSchema.index({ member: 1 });
ratingSchema.index({ searcher: 1 });

/** Judgment sets with their searches and ratings. */
export type JudgmentSetStore = ReturnType<typeof createJudgmentSetStore>;

/** Limits on the sets of a site, and on the searches and ratings of a set, so that no account fills the store. */
export const mostKept = { sets: 100, searches: 200, ratings: 20_000 };

/** The longest run of a set. */
const longestRunMs = 300_000;

/** Ratings of one write. */
const perWrite = 500;

const entryOf = ({ _id, siteid, name, at }: SetDocument): JudgmentSetEntry => ({ id: _id, siteid, name, at });

const ratingId = ({ search, member, rater }: GivenRating) => `${search} ${member} ${rater}`;

/** Creates the store. */
export function createJudgmentSetStore(connection: Connection, clock: Clock) {
  const sets = connection.model('JudgmentSet', setSchema);
  const searches = connection.model('JudgedSearch', searchSchema);
  const ratings = connection.model('Rating', ratingSchema);
  /** Whether a set has room for these: replaced grades need none, and deleted ones make some. */
  const hasRoom = async (set: string, given: readonly GivenRating[]): Promise<boolean> => {
    if ((await ratings.countDocuments({ set })) + given.length <= mostKept.ratings) return true;
    const ids = new Set((await ratings.find({ set }, { _id: 1 }).lean()).map(({ _id }) => _id));
    const before = ids.size;
    for (const one of given) {
      if (one.grade === null) ids.delete(ratingId(one));
      else ids.add(ratingId(one));
    }
    return ids.size <= Math.max(before, mostKept.ratings);
  };
  return {
    async find(id: string): Promise<JudgmentSetEntry | undefined> {
      const found = await sets.findById(id).lean<SetDocument>();
      return found ? entryOf(found) : undefined;
    },
    /** The sets of some sites, or of all, by site and name. */
    async list(siteids: ReadonlySet<number> | 'all'): Promise<JudgmentSetEntry[]> {
      const filter = siteids === 'all' ? {} : { siteid: { $in: [...siteids] } };
      return (await sets.find(filter).sort({ siteid: 1, name: 1 }).lean<SetDocument[]>()).map(entryOf);
    },
    /** Creates a set; undefined if the site has one of this name, or as many as it may. */
    async create(siteid: number, name: string): Promise<string | undefined> {
      if ((await sets.countDocuments({ siteid })) >= mostKept.sets) return undefined;
      const id = randomUUID();
      const isCreated = await unlessDuplicate(sets.create({ _id: id, siteid, name, at: clock() }));
      return isCreated ? id : undefined;
    },
    /** Begins a run of a set, unless one is under way. */
    async beginRun(set: string): Promise<boolean> {
      const now = clock();
      const idle = { _id: set, $nor: [{ running_until: { $gt: now } }] };
      const $set = { running_until: new Date(now.getTime() + longestRunMs) };
      return (await sets.updateOne(idle, { $set })).matchedCount > 0;
    },
    async endRun(set: string): Promise<void> {
      await sets.updateOne({ _id: set }, { $unset: { running_until: 1 } });
    },
    /** Deletes a set with everything in it. */
    async remove(set: string): Promise<void> {
      await ratings.deleteMany({ set });
      await searches.deleteMany({ set });
      await sets.deleteOne({ _id: set });
    },
    /** The searches of a set, the oldest first. */
    async searches(set: string): Promise<SetSearch[]> {
      const found = await searches.find({ set }).sort({ at: 1, _id: 1 }).lean<SearchDocument[]>();
      return found.map(({ _id, name, member, criteria, sortby }) => ({
        id: _id,
        name,
        member,
        criteria: JSON.parse(criteria) as SetSearch['criteria'],
        sortby,
      }));
    },
    /** Adds a search; undefined if the set has one of this name, or as many as it may. */
    async addSearch(
      set: string,
      { criteria, ...search }: Omit<SetSearch, 'id'>,
    ): Promise<string | undefined> {
      if ((await searches.countDocuments({ set })) >= mostKept.searches) return undefined;
      const id = randomUUID();
      const document = { _id: id, set, ...search, criteria: JSON.stringify(criteria), at: clock() };
      return (await unlessDuplicate(searches.create(document))) ? id : undefined;
    },
    /** Deletes a search with its ratings. */
    async removeSearch(set: string, search: string): Promise<void> {
      await ratings.deleteMany({ set, search });
      await searches.deleteOne({ _id: search, set });
    },
    async ratings(set: string): Promise<Rating[]> {
      const found = await ratings.find({ set }).sort({ _id: 1 }).lean<RatingDocument[]>();
      return found.map(({ search, member, rater, grade }) => ({ search, member, rater, grade }));
    },
    /** Stores what raters gave to results of searches of a set. False, and nothing is stored, beyond what a set may have. */
    async rate(set: string, given: readonly GivenRating[]): Promise<boolean> {
      if (!(await hasRoom(set, given))) return false;
      for (const some of chunks(given, perWrite)) {
        await ratings.bulkWrite(
          some.map((one) => {
            const { grade, ...rest } = one;
            const filter = { _id: ratingId(one), set };
            if (grade === null) return { deleteOne: { filter } };
            return { updateOne: { filter, update: { $set: { grade, ...rest } }, upsert: true } };
          }),
        );
      }
      return true;
    },
    /** Counts the searches of a member, and the member's grades as a result. */
    countOf: async (member: number) => ({
      searches: await searches.countDocuments({ member }),
      grades: await ratings.countDocuments({ member }),
    }),
    /** Deletes everything about deleted members: their searches, and grades as searcher and as result. */
    async forget(members: readonly number[]): Promise<void> {
      const $in = [...members];
      await ratings.deleteMany({ $or: [{ member: { $in } }, { searcher: { $in } }] });
      await searches.deleteMany({ member: { $in } });
    },
  };
}
