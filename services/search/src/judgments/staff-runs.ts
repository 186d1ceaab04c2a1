import { conflicting, notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { keptRuns, type Run } from './run-store.ts';
import { mostPerHour } from '../workbench/comparison-limit-store.ts';
import { changedSettings, searchedIndex } from '../workbench/staff-comparison.ts';
import {
  checkedChange,
  settingsParameters,
  shownLanguages,
  shownRelevance,
} from '../publishing/staff-settings.ts';
import { exampleId, onSet, setId, setOf, type JudgmentsContext } from './judgments.ts';
import { changesBetween, comparedRanks, IsRunning, keptResults, runSet } from './run-set.ts';

const metric = z
  .number()
  .min(0)
  .max(1)
  .meta({ examples: [0.75] });

const quality = z
  .object({
    ndcg: metric,
    precision: metric,
    recall: metric,
    err: metric,
    judged: metric.meta({
      description: 'The share of the first ten results that is graded: the others count as no match.',
    }),
  })
  .meta({ id: 'SearchQuality', description: 'nDCG@10, precision@10, recall@100 and ERR@10.' });

const runFields = {
  id: z.uuid(),
  at: z.iso.datetime().meta({ examples: ['2026-03-01T12:00:00.000Z'] }),
  by: z.uuid().nullable().meta({ description: 'The staff account; null from the command line.' }),
  note: z.string().meta({ examples: ['smoking 6'] }),
  version: z.int().meta({ description: 'The settings that were in force.', examples: [3] }),
  changed: z.boolean().meta({ description: 'Whether it ran with others.', examples: [false] }),
  index: z.enum(['live', 'shadow']).meta({ description: 'The index that was searched.' }),
  weights: z
    .record(z.string(), z.int())
    .meta({ description: 'Of the criteria in the searches.', examples: [{ smoking: 6 }] }),
  measured: z.int().meta({ description: 'Searches with a good member in their grades.', examples: [40] }),
  mean: quality.nullable().meta({ description: 'Null if none was measured.' }),
};

const shownRun = z.object(runFields).meta({ id: 'StaffJudgmentRun' });

const shown = ({ at, weights, ...run }: Run) => ({ ...run, weights: { ...weights }, at: at.toISOString() });

/** POST /staff/search/judgment-sets/:id/runs: runs the searches of a set, and keeps the metrics. */
export const runJudgments = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'runStaffJudgments',
  summary: 'Run a judgment set',
  description: `Runs its searches as their members, under the settings in force or \`settings\`, in \`index\`, also with criteria for subscribers. Only members who block a searcher are excluded, and nothing is counted against limits of members. A result’s grade is the mean of its raters. The last ${keptRuns} runs are kept. An account runs up to ${mostPerHour.judgedSearches} searches of sets an hour; 429 for a run of more than are left. 409 while a run of the set is under way. The call is recorded for each searcher.`,
  answer: 'The run.',
  example: { request: { id: exampleId, note: 'smoking 6' } },
  statuses: [404, 409],
  input: z.strictObject({
    id: setId,
    note: z
      .string()
      .max(200)
      .default('')
      .meta({ description: 'Why, for the list.', examples: ['smoking 6'] }),
    settings: z
      .strictObject(settingsParameters)
      .optional()
      .meta({ description: 'What differs from the settings in force.' }),
    index: searchedIndex,
  }),
  output: shownRun,
  async handler({ input: { id, note, settings: given, index }, caller }, context: JudgmentsContext) {
    const set = await setOf(id, context);
    const change = given && checkedChange(given, 'settings.');
    const active = await context.settings.active.current();
    const settings = await changedSettings(change ?? {}, active, context, index);
    const searches = await context.judgments.sets.searches(id);
    await context.comparisons.use(caller.memberId, 'judgedSearches', Math.max(1, searches.length));
    for (const memberNumber of new Set(searches.map(({ member }) => member))) {
      const about = { staff: caller.memberId, memberNumber };
      context.security.record('staff_decision', { ...about, reason: 'judgments_run' });
    }
    const facts = { by: caller.memberId, note, version: active.version, change, index };
    const run = runSet(set, settings, facts, context).catch((error: unknown) => {
      throw error instanceof IsRunning ? conflicting() : error;
    });
    return shown(await run);
  },
});

/** GET /staff/search/judgment-sets/:id/runs: the runs of a set. */
export const listJudgmentRuns = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'listStaffJudgmentRuns',
  summary: 'List the runs of a judgment set',
  description: 'Returns the metrics of each run, to plot over versions.',
  answer: 'The runs that are kept, newest first.',
  example: { request: { id: exampleId } },
  statuses: [404],
  input: z.object({ id: setId }),
  output: z.object({ runs: z.array(shownRun) }).meta({ id: 'StaffJudgmentRuns' }),
  async handler({ input: { id } }, context: JudgmentsContext) {
    await setOf(id, context);
    return { runs: (await context.judgments.runs.list(id)).map(shown) };
  },
});

const rank = z.int().nullable();

/** GET /staff/search/judgment-sets/:id/runs/:runid: one run, and what moved since another one. */
export const showJudgmentRun = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'getStaffJudgmentRun',
  summary: 'Get a run of a judgment set',
  description: `Returns the metrics by search. With \`against\`, also the metrics of that run, and the members among the first ${comparedRanks} of either whose rank changed. Members who block the searcher by now are left out.`,
  answer: 'The run.',
  example: { request: { id: exampleId, runid: exampleId, against: exampleId } },
  statuses: [404],
  input: z.object({
    id: setId,
    runid: z.uuid().meta({ description: 'The run.' }),
    against: z.uuid().optional().meta({ description: 'Another run of the set, from before.' }),
  }),
  output: z
    .object({
      ...runFields,
      settings: z
        .object({
          relevance: shownRelevance.nullable().optional(),
          languages: shownLanguages.optional(),
        })
        .nullable()
        .meta({
          description:
            'What it changed of `version`; null without changes, and for a role that is not on every site.',
          examples: [null],
        }),
      searches: z.array(
        z
          .object({
            search: z.uuid(),
            name: z.string().meta({ examples: ['anna'] }),
            problem: z
              .string()
              .nullable()
              .meta({ description: 'Why it did not run.', examples: [null] }),
            quality: quality.nullable().meta({ description: 'Null if it was not measured.' }),
            before: quality.nullable().meta({ description: 'In the other run.' }),
            moves: z.array(
              z
                .object({
                  member: z.int().meta({ examples: [1002] }),
                  before: rank.meta({ description: `Null beyond ${keptResults}.`, examples: [3] }),
                  after: rank.meta({ examples: [1] }),
                })
                .meta({ id: 'StaffMove' }),
            ),
          })
          .meta({ id: 'StaffSearchResult' }),
      ),
    })
    .meta({ id: 'StaffJudgmentRunDetails' }),
  async handler({ input: { id, runid, against }, sites }, context: JudgmentsContext) {
    const { runs } = context.judgments;
    const [run, other] = await Promise.all([
      runs.find(id, runid),
      against === undefined ? undefined : runs.find(id, against),
    ]);
    if (!run || (against !== undefined && !other)) throw notFound();
    const settings = (sites === 'all' && (await runs.settingsOf(runid))) || null;
    return { ...shown(run), settings, searches: await changesBetween(run, other, context) };
  },
});
