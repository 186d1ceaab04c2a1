import { notFound } from '@covalence/contract/failure';
import { unchecked } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { isoOrNull } from '@covalence/runtime/clock';
import { z } from 'zod';
import {
  after,
  checkedChange,
  everySite,
  exampleRelevance,
  note,
  refusalOf,
  shownRelevance,
  type StaffSettingsContext,
} from '../publishing/staff-settings.ts';
import type { Experiment } from '../usage/experiment-store.ts';
import { resultOf } from '../usage/judge-experiment.ts';
import { nameForm, startExperiment } from './start-experiment.ts';

const name = z
  .string()
  .regex(nameForm)
  .meta({ description: 'Unique among all experiments.', examples: ['more-photos'] });

const count = z.int().meta({ examples: [120] });
const siteids = z.array(z.int().min(1)).meta({ examples: [[1]] });

const shownExperiment = z
  .object({
    name,
    note,
    started: z.iso.datetime().meta({ examples: ['2026-03-01T12:00:00.000Z'] }),
    stopped: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Null while it runs.', examples: [null] }),
    ended: z
      .enum(['stopped', 'decided', 'time', 'settings'])
      .nullable()
      .meta({
        description:
          'Why it ended: by a person, with a verdict, after eight weeks, or because other settings came in force.',
        examples: [null],
      }),
    sites: siteids.meta({ description: 'Sites that take part; empty for all.' }),
    version: z.int().meta({ description: 'The settings `a`, in force at the start.', examples: [3] }),
    relevance: shownRelevance.meta({ description: 'The settings `b`, which are tried.' }),
    weeks: z.int().meta({ description: 'Complete weeks; the counts below are of these.', examples: [2] }),
    searches: count,
    searchers: count,
    waiting: z.int().meta({ description: 'Searches of weeks that are not complete.', examples: [40] }),
    preferred: z
      .object({ a: count, b: count })
      .meta({ id: 'StaffExperimentWins', description: 'Searchers by the results that they liked more.' }),
    chance: z.number().meta({
      description: 'Of such a difference, however often one looks, if both are equally good: at most this.',
      examples: [0.2],
    }),
    better: z
      .enum(['a', 'b'])
      .nullable()
      .meta({ description: 'Null without a verdict.', examples: [null] }),
  })
  .meta({ id: 'StaffExperiment' });

async function shown(experiment: Experiment, { usage }: StaffSettingsContext) {
  const { started, stopped, sites, against, settings, weeks, ...rest } = experiment;
  const { wins, pValue, ...counts } = await resultOf(experiment, usage.store);
  return {
    ...rest,
    ...counts,
    started: started.toISOString(),
    stopped: isoOrNull(stopped),
    sites: [...sites],
    version: against.settings,
    relevance: settings,
    weeks: weeks.length,
    preferred: wins,
    chance: pValue,
  };
}

/** GET /staff/search/experiments: all experiments and what they say so far. */
export const listExperiments = endpoint({
  access: 'staff',
  staff: everySite,
  operationId: 'listStaffExperiments',
  summary: 'List experiments',
  description:
    'Comparisons of two rankings by what members do with interleaved results, and what they say so far.',
  answer: 'The experiments, the last one first.',
  input: z.object({}),
  output: z.object({ experiments: z.array(shownExperiment) }).meta({ id: 'StaffExperiments' }),
  async handler(_call, context: StaffSettingsContext) {
    const all = await context.usage.experiments.list();
    return { experiments: await Promise.all(all.map((one) => shown(one, context))) };
  },
});

/** POST /staff/search/experiments: starts an experiment. */
export const beginExperiment = endpoint({
  access: 'staff',
  staff: { ...everySite, about: ({ name: of }) => [of] },
  operationId: 'startStaffExperiment',
  summary: 'Start an experiment',
  description:
    'Interleaves the results of the settings in force with those of `relevance` in recorded searches. One runs at a time. It ends with a verdict, after eight weeks, or when a version is published. `problems` of a 403 names what is not valid, and says why an experiment could find nothing. 409 when somebody has published since `after`. The call is recorded.',
  answer: 'The experiment has started. Every process of search follows within seconds.',
  example: { request: { name: 'more-photos', after: 3, note: 'photos 6', relevance: exampleRelevance } },
  statuses: [409],
  input: z.strictObject({
    name,
    after,
    note,
    sites: siteids.default([]).meta({ description: 'Sites that take part; empty for all.' }),
    relevance: unchecked({
      $ref: '#/components/schemas/SearchRelevance',
      description: 'The settings `b`, all of them.',
    }),
  }),
  output: z.object({}),
  async handler({ input: { after: version, relevance, ...named }, caller }, context: StaffSettingsContext) {
    const change = checkedChange({ relevance });
    await startExperiment({ ...named, ...change, version }, context).catch((error: unknown) => {
      throw refusalOf(error);
    });
    context.security.record('staff_decision', { staff: caller.memberId, reason: 'experiment_started' });
    return {};
  },
});

/** POST /staff/search/experiments/:name/stop: ends an experiment. */
export const stopExperiment = endpoint({
  access: 'staff',
  staff: everySite,
  operationId: 'stopStaffExperiment',
  summary: 'Stop an experiment',
  description:
    'Every search uses the settings in force again, within seconds. Weeks that were complete count, and the last one once it is. 404 unless it runs. The call is recorded.',
  answer: 'It is stopped.',
  example: { request: { name: 'more-photos' } },
  statuses: [404],
  input: z.object({ name }),
  output: z.object({}),
  async handler({ input, caller }, { usage, security }: StaffSettingsContext) {
    if (!(await usage.experiments.stop(input.name))) throw notFound();
    security.record('staff_decision', { staff: caller.memberId, reason: 'experiment_stopped' });
    return {};
  },
});
