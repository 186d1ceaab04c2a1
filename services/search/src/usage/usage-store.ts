import { dayMs, weekMs, utcDay, startOfUtcDay } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { SortBy } from '../relevance/sort.ts';
import type { RecordedCriteria } from './describe-search.ts';
import type { Pseudonyms, Role } from './pseudonyms.ts';

/** Actions of searchers on a member whom a search showed; a reply is a message or a like of that member in return. */
export const actions = ['view', 'like', 'message', 'reply'] as const;

/** One of them. */
export type Action = (typeof actions)[number];

/** Versions of what decided the order of the results. */
export interface SettingsVersions {
  /** The published version. */
  readonly settings: number;
  /** The version of RELEVANCE_FILE. */
  readonly file: number;
  readonly mapping: number;
}

/** A search of an experiment: which team gave each result. */
export interface Draft {
  readonly experiment: string;
  /** A letter for each result: `a` for the settings in force, `b` for the others. */
  readonly teams: string;
}

/** A recorded search. No time but the day (UTC), no number of a member, no text, no place. */
export interface RecordedSearch {
  readonly _id: string;
  readonly searcher: string;
  readonly day: Date;
  readonly siteid: number;
  readonly sortby: SortBy;
  readonly pagesize: number;
  readonly criteria: RecordedCriteria;
  readonly versions: SettingsVersions;
  /** The position of the first result among all, from 1. */
  readonly first: number;
  /** Pseudonyms of the results in their order; empty where profile did not show the member, or the member was erased. */
  readonly shown: readonly string[];
  readonly draft?: Draft;
}

/** A result of a recorded search. */
export interface ShownResult {
  readonly search: string;
  readonly searcher: string;
  readonly siteid: number;
  readonly shown: string;
  /** The position among all results, from 1. */
  readonly position: number;
  /** When the search expires, and with it what actions. */
  readonly expires: Date;
}

/** An action on a result of a recorded search. */
export interface RecordedAction extends ShownResult {
  readonly action: Action;
  readonly day: Date;
}

type Expiring<Content> = Content & { expires: Date };

const searchSchema = new Schema<Expiring<RecordedSearch>>(
  {
    ...required({ _id: String, searcher: String, day: Date, siteid: Number, sortby: String }),
    ...required({ pagesize: Number, criteria: Schema.Types.Mixed, versions: Schema.Types.Mixed }),
    ...required({ first: Number, shown: [String], expires: Date }),
    draft: { type: Schema.Types.Mixed },
  },
  { collection: 'usage_searches', versionKey: false, minimize: false },
);
searchSchema.index({ searcher: 1 });
searchSchema.index({ shown: 1 });
searchSchema.index({ day: 1, _id: 1 });
searchSchema.index({ 'draft.experiment': 1 }, { sparse: true });
searchSchema.index({ expires: 1 }, { expireAfterSeconds: 0 });

/** The searches of a searcher on a day in their order, for as long as an action can follow them. */
interface RecentDocument {
  _id: string;
  searcher: string;
  day: Date;
  searches: string[];
  expires: Date;
}

const recentSchema = new Schema<RecentDocument>(
  {
    ...required({ _id: String, searcher: String, day: Date, searches: [String], expires: Date }),
  },
  { collection: 'usage_recent', versionKey: false },
);
recentSchema.index({ searcher: 1, day: -1 });
recentSchema.index({ expires: 1 }, { expireAfterSeconds: 0 });

const actionSchema = new Schema<RecordedAction & { _id: string }>(
  {
    ...required({ _id: String, search: String, searcher: String, shown: String, action: String }),
    ...required({ position: Number, day: Date, siteid: Number, expires: Date }),
  },
  { collection: 'usage_actions', versionKey: false },
);
actionSchema.index({ searcher: 1, shown: 1 });
actionSchema.index({ shown: 1 });
actionSchema.index({ search: 1 });
actionSchema.index({ day: 1, _id: 1 });
actionSchema.index({ expires: 1 }, { expireAfterSeconds: 0 });

const keptMs = 90 * dayMs;

/** Time after the day of a search in which an action belongs to it, and after a message or a like in which a reply belongs to it. */
const attributionMs = { action: dayMs, reply: weekMs };

/** The last searches of a searcher on a day; an action belongs to no earlier one. */
const mostRecent = 100;

/** Counted from a day, so that it reveals no time either. */
const daysAfter = (day: Date, ms: number) => new Date(day.getTime() + ms);

/** Selects searchers whose names none of the secrets made: what lies outside of their ranges. */
function ofUnknownSecrets(ranges: Pseudonyms['ranges']): {
  $or?: { searcher: { $gte?: string; $lt?: string } }[];
} {
  if (!ranges.length) return {};
  const between = ranges.slice(1).map(({ from }, index) => ({ $gte: ranges[index]?.to ?? '', $lt: from }));
  const outside = [{ $lt: ranges[0]?.from ?? '' }, ...between, { $gte: ranges.at(-1)?.to ?? '' }];
  return { $or: outside.map((searcher) => ({ searcher })) };
}

/** Recorded searches and the actions attributed to them, under pseudonyms. */
export type UsageStore = ReturnType<typeof createUsageStore>;

/** Creates the store. */
export function createUsageStore(connection: Connection, pseudonyms: Pseudonyms | undefined, clock: Clock) {
  const searches = connection.model('UsageSearch', searchSchema);
  const recents = connection.model('UsageRecent', recentSchema);
  const actions = connection.model('UsageAction', actionSchema);

  const before = (at: Date, role: Role, member: number, ageMs: number): string[] =>
    pseudonyms?.before(at, role, member, ageMs) ?? [];

  /** Every pseudonym under which something may be kept of a member, with a margin for what expires late. */
  const all = (role: Role, member: number) => before(clock(), role, member, keptMs + 2 * dayMs);

  /** Deletes what no secret can find any more, as it could not be erased by member. Resolves with the number of searches. */
  const forgetUnknown = async (): Promise<number> => {
    const unknown = ofUnknownSecrets(pseudonyms?.ranges ?? []);
    const [{ deletedCount }] = await Promise.all([
      searches.deleteMany(unknown),
      recents.deleteMany(unknown),
      actions.deleteMany(unknown),
    ]);
    return deletedCount;
  };

  return {
    /** Stores searches, which come in the order in which they were made. */
    async add(made: readonly RecordedSearch[]): Promise<void> {
      // Documents are kept in the order in which they are stored: within a batch it is one of chance.
      const stored = made
        .map((search) => ({ ...search, expires: daysAfter(search.day, keptMs) }))
        .sort((one, other) => (one._id < other._id ? -1 : 1));
      const recent = [...Map.groupBy(made, ({ searcher, day }) => `${searcher}:${utcDay(day)}`)];
      await Promise.all([
        searches.insertMany(stored, { ordered: false, lean: true }),
        recents.bulkWrite(
          recent
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .flatMap(([_id, own]) => {
              const [first] = own;
              if (!first) return [];
              const { searcher, day } = first;
              const expires = daysAfter(day, attributionMs.action + dayMs);
              const update = {
                $setOnInsert: { day, expires },
                $push: { searches: { $each: own.map(({ _id: id }) => id), $slice: -mostRecent } },
              };
              return [{ updateOne: { filter: { _id, searcher }, update, upsert: true } }];
            }),
          { ordered: false },
        ),
      ]);
    },
    /** The place of the other in the last search of a member that showed them, on a day or the day before. */
    async lastThatShowed(searcher: number, other: number, at: Date): Promise<ShownResult | undefined> {
      const day = startOfUtcDay(at);
      const recent = await recents
        .find({
          searcher: { $in: before(at, 'searcher', searcher, attributionMs.action) },
          day: { $gte: daysAfter(day, -attributionMs.action), $lte: day },
        })
        .sort({ day: -1 })
        .lean<RecentDocument[]>();
      const ids = recent.flatMap(({ searches: ofDay }) => ofDay.toReversed());
      if (!ids.length) return undefined;
      const names = before(at, 'shown', other, attributionMs.action);
      const found = await searches
        .find({ _id: { $in: ids }, shown: { $in: names } })
        .lean<Expiring<RecordedSearch>[]>();
      const [last] = found.sort((one, next) => ids.indexOf(one._id) - ids.indexOf(next._id));
      const index = last?.shown.findIndex((name) => names.includes(name)) ?? -1;
      const shown = last?.shown[index];
      if (!last || shown === undefined) return undefined;
      const { _id: search, searcher: name, siteid, first, expires } = last;
      return { search, searcher: name, siteid, shown, position: first + index, expires };
    },
    /** The search actions by a member's last message or like to the other, up to a week before a day. */
    async lastApproach(
      searcher: number,
      other: number,
      at: Date,
      approaches: readonly Action[],
    ): Promise<ShownResult | undefined> {
      const ageMs = attributionMs.reply + attributionMs.action;
      const found = await actions
        .findOne(
          {
            searcher: { $in: before(at, 'searcher', searcher, ageMs) },
            shown: { $in: before(at, 'shown', other, ageMs) },
            action: { $in: approaches },
            day: { $gte: daysAfter(startOfUtcDay(at), -attributionMs.reply) },
          },
          { _id: 0, action: 0, day: 0 },
        )
        .sort({ day: -1 })
        .lean<ShownResult>();
      return found ?? undefined;
    },
    /** Stores an action; a repeated one counts once. */
    async addAction(action: RecordedAction): Promise<void> {
      const _id = `${action.search}:${action.shown}:${action.action}`;
      await unlessDuplicate(actions.create({ ...action, _id }));
    },
    /** Recorded searches since a day, in no order that reveals a time. */
    searchesSince: (
      day: Date,
      { experiment, before }: { readonly experiment?: string; readonly before?: Date | undefined } = {},
    ): AsyncIterable<RecordedSearch> =>
      searches
        .find({
          day: { $gte: day, ...(before && { $lt: before }) },
          ...(experiment && { 'draft.experiment': experiment }),
        })
        .sort({ day: 1, _id: 1 })
        .lean<RecordedSearch[]>()
        .cursor(),
    /** Counts the searches of an experiment since a day; further pages of a search are none. */
    countDrafted: (experiment: string, day: Date): Promise<number> =>
      searches.countDocuments({ 'draft.experiment': experiment, day: { $gte: day }, first: 1 }),
    /** Recorded actions since a day. */
    actionsSince: (day: Date): AsyncIterable<RecordedAction> =>
      actions
        .find({ day: { $gte: day } })
        .sort({ day: 1, _id: 1 })
        .lean<RecordedAction[]>()
        .cursor(),
    /** Results of these searches that were acted on in one of these ways, and before a day if one is given. */
    actedOn: (
      made: readonly string[],
      how: readonly Action[],
      before?: Date,
    ): Promise<Pick<RecordedAction, 'search' | 'shown'>[]> =>
      actions
        .find(
          { search: { $in: made }, action: { $in: how }, ...(before && { day: { $lt: before } }) },
          { search: 1, shown: 1 },
        )
        .lean<RecordedAction[]>(),
    /** The records of a member as a searcher, oldest first. */
    async list(member: number) {
      const searcher = { $in: all('searcher', member) };
      const [made, done] = await Promise.all([
        searches.find({ searcher }).sort({ day: 1, _id: 1 }).lean<RecordedSearch[]>(),
        actions.find({ searcher }).sort({ position: 1 }).lean<RecordedAction[]>(),
      ]);
      const bySearch = Map.groupBy(done, ({ search }) => search);
      return made.map((search) => ({ search, actions: bySearch.get(search._id) ?? [] }));
    },
    forgetUnknown,
    /** Deletes everything about members: their searches and actions, and them among the results of others. */
    async forget(members: readonly number[]): Promise<void> {
      await forgetUnknown();
      for (const member of members) {
        const searcher = { $in: all('searcher', member) };
        const shown = { $in: all('shown', member) };
        await Promise.all([
          searches.deleteMany({ searcher }),
          recents.deleteMany({ searcher }),
          actions.deleteMany({ $or: [{ searcher }, { shown }] }),
        ]);
        // A search shows a member once. The places of the others stay as they were.
        await searches.updateMany({ shown }, { $set: { 'shown.$': '' } });
      }
    },
  };
}
