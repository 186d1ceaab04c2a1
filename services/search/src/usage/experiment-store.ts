import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import { relevanceSchema, type RelevanceSettings } from '../relevance/relevance-settings.ts';

/** A comparison of two rankings in use. */
export interface Experiment {
  readonly name: string;
  /** The settings that are tried, as team `b`. */
  readonly settings: RelevanceSettings;
  /** The version in force, as team `a`; searches with another one take no part. */
  readonly against: number;
  /** Sites that take part; empty for all. */
  readonly sites: readonly number[];
  readonly started: Date;
  readonly stopped: Date | null;
}

interface ExperimentDocument extends Omit<Experiment, 'name' | 'settings' | 'stopped'> {
  _id: string;
  /** As text, because a name in it may have a dot. */
  settings: string;
  stopped?: Date;
  /** True while it runs: a unique index lets one run at a time. */
  running?: true;
}

const schema = new Schema<ExperimentDocument>(
  {
    _id: { type: String, required: true },
    settings: { type: String, required: true },
    against: { type: Number, required: true },
    sites: { type: [Number], required: true },
    started: { type: Date, required: true },
    stopped: { type: Date },
    running: { type: Boolean },
  },
  { collection: 'usage_experiments', versionKey: false },
);
schema.index({ running: 1 }, { unique: true, sparse: true });

const experimentOf = ({
  _id,
  settings,
  against,
  sites,
  started,
  stopped,
}: ExperimentDocument): Experiment => ({
  name: _id,
  settings: relevanceSchema.parse(JSON.parse(settings)),
  against,
  sites,
  started,
  stopped: stopped ?? null,
});

/** Experiments, of which one runs at a time. */
export type ExperimentStore = ReturnType<typeof createExperimentStore>;

/** Creates the store. */
export function createExperimentStore(connection: Connection, clock: Clock) {
  const model = connection.model('UsageExperiment', schema);
  const one = async (filter: { _id?: string; running?: true }): Promise<Experiment | undefined> => {
    const found = await model.findOne(filter).lean<ExperimentDocument>();
    return found ? experimentOf(found) : undefined;
  };
  return {
    running: () => one({ running: true }),
    find: (name: string) => one({ _id: name }),
    /** All experiments, the last first. */
    list: async (): Promise<Experiment[]> =>
      (await model.find().sort({ started: -1 }).lean<ExperimentDocument[]>()).map(experimentOf),
    /** False if the name is taken, or if another one runs. */
    start: ({
      name,
      settings,
      against,
      sites,
    }: Pick<Experiment, 'name' | 'settings' | 'against' | 'sites'>) =>
      unlessDuplicate(
        model.create({
          _id: name,
          settings: JSON.stringify(settings),
          against,
          sites: [...sites],
          started: clock(),
          running: true,
        }),
      ),
    /** False if it does not run. */
    async stop(name: string): Promise<boolean> {
      const change = { $set: { stopped: clock() }, $unset: { running: 1 as const } };
      return (await model.updateOne({ _id: name, running: true }, change)).matchedCount > 0;
    },
  };
}
