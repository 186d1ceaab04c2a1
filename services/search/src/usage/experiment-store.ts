import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { relevanceSchema, type RelevanceSettings } from '../relevance/relevance-settings.ts';
import type { SettingsVersions } from './usage-store.ts';
import type { Wins } from './verdict.ts';

/** The counts of a week, once it is complete. */
export interface SettledWeek extends Wins {
  /** The number of the week. */
  readonly week: number;
  readonly searches: number;
  readonly searchers: number;
}

/** Why an experiment ended: by the command, with a verdict, after its longest time, or because what is in force has changed. */
export type WhyEnded = 'stopped' | 'decided' | 'time' | 'settings';

/** The settings that decide the results of team `a` and the participants. */
export interface InForce extends SettingsVersions {
  /** Prefix of the searchers' pseudonyms, derived from the secret. Null without one. */
  readonly secret: string | null;
}

/** A comparison of two rankings in use. */
export interface Experiment {
  readonly name: string;
  readonly note: string;
  /** The settings that are tried, as team `b`. */
  readonly settings: RelevanceSettings;
  /** The settings in force at the start, as team `a`; searches with any others do not take part. */
  readonly against: InForce;
  /** Sites that take part; empty for all. */
  readonly sites: readonly number[];
  readonly started: Date;
  readonly stopped: Date | null;
  readonly ended: WhyEnded | null;
  /** Weeks in their order. Erasures, expiry and late events change nothing of them. */
  readonly weeks: readonly SettledWeek[];
  /** The better ranking, once one is; it stays. */
  readonly better: 'a' | 'b' | null;
}

/** The input for a new experiment. */
type NewExperiment = Pick<Experiment, 'name' | 'note' | 'settings' | 'against' | 'sites'>;

interface ExperimentDocument extends Omit<Experiment, 'name' | 'settings' | 'stopped' | 'ended' | 'better'> {
  _id: string;
  /** As text, because a name in it may have a dot. */
  settings: string;
  stopped?: Date;
  ended?: WhyEnded;
  better?: 'a' | 'b';
  /** True while it runs: a unique index lets one run at a time. */
  running?: true;
}

const schema = new Schema<ExperimentDocument>(
  {
    ...required({ _id: String, settings: String, against: Schema.Types.Mixed, sites: [Number] }),
    ...required({ started: Date, weeks: [Schema.Types.Mixed] }),
    note: { type: String },
    stopped: { type: Date },
    ended: { type: String },
    better: { type: String },
    running: { type: Boolean },
  },
  { collection: 'usage_experiments', versionKey: false },
);
schema.index({ running: 1 }, { unique: true, sparse: true });

/** Undefined for an experiment of a release whose settings this one does not read. */
function experimentOf(found: ExperimentDocument | null): Experiment | undefined {
  if (!found) return undefined;
  const { _id: name, settings, running: _running, ...rest } = found;
  const { data } = relevanceSchema.safeParse(JSON.parse(settings));
  if (!data || typeof rest.against !== 'object') return undefined;
  return { stopped: null, ended: null, better: null, ...rest, name, settings: data };
}

/** Experiments, of which one runs at a time. */
export type ExperimentStore = ReturnType<typeof createExperimentStore>;

/** Creates the store. */
export function createExperimentStore(connection: Connection, clock: Clock) {
  const model = connection.model('UsageExperiment', schema);
  const one = async (filter: { _id?: string; running?: true }) =>
    experimentOf(await model.findOne(filter).lean<ExperimentDocument>());
  return {
    running: () => one({ running: true }),
    find: (name: string) => one({ _id: name }),
    /** All experiments that can be read, the last first. */
    list: async (): Promise<Experiment[]> =>
      (await model.find().sort({ started: -1 }).lean<ExperimentDocument[]>()).flatMap(
        (found) => experimentOf(found) ?? [],
      ),
    /** False if the name is taken, or if another one runs. */
    start: ({ name, settings, sites, ...rest }: NewExperiment) =>
      unlessDuplicate(
        model.create({
          ...rest,
          _id: name,
          settings: JSON.stringify(settings),
          sites: [...sites],
          started: clock(),
          weeks: [],
          running: true,
        }),
      ),
    /** Adds a week, and the verdict if there is one; resolves with the experiment, or undefined if another process was faster. */
    async settle(
      { name, weeks }: Experiment,
      week: SettledWeek,
      better: Experiment['better'],
    ): Promise<Experiment | undefined> {
      const change = { $push: { weeks: week }, ...(better && { $set: { better } }) };
      const filter = { _id: name, weeks: { $size: weeks.length } };
      const options = { returnDocument: 'after' } as const;
      return experimentOf(await model.findOneAndUpdate(filter, change, options).lean<ExperimentDocument>());
    },
    /** False if it does not run. */
    async stop(name: string, ended: WhyEnded = 'stopped'): Promise<boolean> {
      const change = { $set: { stopped: clock(), ended }, $unset: { running: 1 as const } };
      return (await model.updateOne({ _id: name, running: true }, change)).matchedCount > 0;
    },
  };
}
