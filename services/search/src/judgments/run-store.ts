import type { Clock } from '@covalence/runtime/clock';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { Quality } from '../evaluation/metrics.ts';
import type { Searched } from '../evaluation/try-search.ts';
import { randomUUID } from 'node:crypto';
import { settingsChange, type SettingsChange } from '../settings/search-settings.ts';

/** One run of a set. */
export interface Run {
  readonly id: string;
  readonly at: Date;
  /** The UUID of the staff account; null from the command line. */
  readonly by: string | null;
  readonly note: string;
  /** The settings that were in force. */
  readonly version: number;
  /** Whether it ran with others. */
  readonly changed: boolean;
  /** The index that was searched. */
  readonly index: Searched;
  /** The weights of the criteria in the searches. */
  readonly weights: Readonly<Record<string, number>>;
  /** Searches that were measured. */
  readonly measured: number;
  /** The means of their metrics; null if none was. */
  readonly mean: Quality | null;
}

/** The result of one search in a run. */
export interface RunResult {
  readonly search: string;
  readonly searcher: number;
  readonly name: string;
  /** Null without a good member in the grades, and if the search did not run. */
  readonly quality: Quality | null;
  /** Why it did not run. */
  readonly problem: string | null;
  /** The first members in their order. */
  readonly found: readonly number[];
}

/** Settings and weights are text, because no driver takes every name. Runs of earlier releases have no settings. */
type RunDocument = Omit<Run, 'id' | 'weights'> & {
  _id: string;
  set: string;
  weights: string;
  settings?: string;
};
type ResultDocument = RunResult & { _id: string; run: string; set: string };

const runSchema = new Schema<RunDocument>(
  {
    ...required({ _id: String, set: String, at: Date, changed: Boolean }),
    ...required({ version: Number, weights: String, measured: Number, index: String }),
    by: String,
    note: String,
    settings: String,
    mean: Schema.Types.Mixed,
  },
  { collection: 'judgment_runs', versionKey: false },
);
runSchema.index({ set: 1, at: 1 });

const resultSchema = new Schema<ResultDocument>(
  {
    ...required({ _id: String, run: String, set: String, search: String }),
    ...required({ searcher: Number, name: String, found: [Number] }),
    quality: Schema.Types.Mixed,
    problem: String,
  },
  { collection: 'judgment_results', versionKey: false },
);
resultSchema.index({ run: 1 });
resultSchema.index({ set: 1 });
resultSchema.index({ searcher: 1 });
resultSchema.index({ found: 1 });

/** Runs of judgment sets. */
export type RunStore = ReturnType<typeof createRunStore>;

/** Runs that are kept of one set. */
export const keptRuns = 50;

const runOf = ({ _id, set: _set, settings: _settings, weights, ...rest }: RunDocument): Run => ({
  id: _id,
  ...rest,
  weights: JSON.parse(weights) as Run['weights'],
});

/** Creates the store. */
export function createRunStore(connection: Connection, clock: Clock) {
  const runs = connection.model('JudgmentRun', runSchema);
  const results = connection.model('JudgmentResult', resultSchema);
  /** The runs of a set, newest first. */
  const list = async (set: string): Promise<Run[]> =>
    (await runs.find({ set }, { settings: 0 }).sort({ at: -1, _id: 1 }).lean<RunDocument[]>()).map(runOf);
  return {
    list,
    async find(set: string, run: string): Promise<Run | undefined> {
      const found = await runs.findOne({ _id: run, set }, { settings: 0 }).lean<RunDocument>();
      return found ? runOf(found) : undefined;
    },
    /** The settings that a run changed; undefined without any, and if this release does not understand them. */
    async settingsOf(run: string): Promise<SettingsChange | undefined> {
      const found = await runs.findById(run, { settings: 1 }).lean<RunDocument>();
      return found?.settings === undefined
        ? undefined
        : settingsChange.safeParse(JSON.parse(found.settings)).data;
    },
    async results(run: string): Promise<RunResult[]> {
      const found = await results.find({ run }).sort({ name: 1 }).lean<ResultDocument[]>();
      return found.map(({ _id, run: _run, set: _set, ...rest }) => rest);
    },
    /** Keeps a run, and deletes the oldest of the set beyond those that are kept. */
    async add(
      set: string,
      {
        change,
        ...tried
      }: Omit<Run, 'id' | 'at' | 'changed'> & { readonly change?: SettingsChange | undefined },
      found: readonly RunResult[],
    ): Promise<Run> {
      const id = randomUUID();
      const at = clock();
      const run = { ...tried, changed: change !== undefined };
      const texts = {
        weights: JSON.stringify(run.weights),
        ...(change && { settings: JSON.stringify(change) }),
      };
      await results.insertMany(found.map((one) => ({ ...one, _id: `${id} ${one.search}`, run: id, set })));
      await runs.create({ ...run, ...texts, _id: id, set, at });
      const old = (await list(set)).slice(keptRuns).map((one) => one.id);
      await results.deleteMany({ run: { $in: old } });
      await runs.deleteMany({ _id: { $in: old } });
      return { id, at, ...run };
    },
    /** Deletes the runs of a set. */
    async remove(set: string): Promise<void> {
      await results.deleteMany({ set });
      await runs.deleteMany({ set });
    },
    /** Counts the results in which a member searched, or was among the first. */
    countOf: (member: number) => results.countDocuments({ $or: [{ searcher: member }, { found: member }] }),
    /** Deletes everything about deleted members: what they found, and that they were found. */
    async forget(members: readonly number[]): Promise<void> {
      const $in = [...members];
      await results.deleteMany({ searcher: { $in } });
      await results.updateMany({ found: { $in } }, { $pull: { found: { $in } } });
    },
  };
}
