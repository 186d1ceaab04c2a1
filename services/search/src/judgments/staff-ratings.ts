import { invalidParts, notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { mostKept } from './judgment-set-store.ts';
import { formats, writeGrades, writeRun } from './formats.ts';
import { importGrades, knownMembers, tooMany } from './import-grades.ts';
import { shownResults } from './run-set.ts';
import { exampleId, grade, memberNumber, onSet, setId, setOf, type JudgmentsContext } from './judgments.ts';

/** POST /staff/search/judgment-sets/:id/ratings: grades results. */
export const rateResults = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'rateStaffResults',
  summary: 'Grade results of searches',
  description: `Stores the caller’s grades; null deletes one. 0 no match, 1 acceptable, 2 good, 3 ideal. A search that the set lacks, and a member whom the index lacks, is 404, and nothing is stored. A set has at most ${mostKept.ratings.toLocaleString('en-US')} grades.`,
  answer: 'The grades are stored.',
  example: { request: { id: exampleId, ratings: [{ search: exampleId, member: 1002, grade: 2 }] } },
  statuses: [404],
  input: z.strictObject({
    id: setId,
    ratings: z
      .array(
        z
          .strictObject({
            search: z.uuid(),
            member: memberNumber.meta({ type: 'integer', minimum: 1, examples: [1002] }),
            grade: grade.nullable().meta({ examples: [2] }),
          })
          .meta({ id: 'StaffRatingGiven' }),
      )
      .min(1)
      .max(500)
      .meta({ description: 'Grades by search and member.' }),
  }),
  output: z.object({}),
  async handler({ input: { id, ratings }, caller }, context: JudgmentsContext) {
    const { sets } = context.judgments;
    const graded = ratings.filter(({ grade: given }) => given !== null).map(({ member }) => member);
    const [searches, known] = await Promise.all([sets.searches(id), knownMembers(graded, context)]);
    const searchers = new Map(searches.map((one) => [one.id, one.member]));
    const given = ratings.map((one) => {
      const searcher = searchers.get(one.search);
      if (searcher === undefined || (one.grade !== null && !known.has(one.member))) throw notFound();
      return { ...one, rater: caller.memberId, searcher };
    });
    if (!(await sets.rate(id, given))) throw invalidParts([tooMany]);
    return {};
  },
});

/** GET /staff/search/judgment-sets/:id/export: the grades, or what a run found, as a file of another tool. */
export const exportJudgments = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'exportStaffJudgments',
  summary: 'Export grades, or a run',
  description:
    'Grades as the CSV of a book of Quepid (`query,docid` and a column for each rater) or as qrels of TREC (the means); with `run`, what it found as a run file of TREC, without members who block the searcher by now. Queries are names of searches, with `_` for blanks in TREC’s formats; documents are members. Files do not name raters. The call is recorded.',
  answer: 'The text of the file.',
  example: { request: { id: exampleId, format: 'trec' } },
  statuses: [404],
  input: z.object({
    id: setId,
    format: z.enum(formats).meta({ description: 'The format; of a run always `trec`.' }),
    run: z.uuid().optional().meta({ description: 'A run of the set.' }),
  }),
  output: z
    .object({ content: z.string().meta({ examples: ['anna 0 1002 3\n'] }) })
    .meta({ id: 'StaffJudgmentFile' }),
  async handler({ input: { id, format, run: runId }, caller }, context: JudgmentsContext) {
    const { sets, runs } = context.judgments;
    await setOf(id, context);
    const run = runId === undefined ? undefined : await runs.find(id, runId);
    if (runId !== undefined && !run) throw notFound();
    context.security.record('staff_decision', { staff: caller.memberId, reason: 'judgments_exported' });
    if (run) return { content: writeRun(await shownResults(run, context), `version ${run.version}`) };
    const [searches, ratings] = await Promise.all([sets.searches(id), sets.ratings(id)]);
    return { content: writeGrades(format, searches, ratings) };
  },
});

/** POST /staff/search/judgment-sets/:id/import: takes grades of another tool. */
export const importJudgments = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'importStaffJudgments',
  summary: 'Import grades',
  description:
    'Accepts the formats of the export, for searches that the set has. One column of grades is the caller’s; several are those of the raters `file 1`, `file 2` … Members whom the index does not have are left out. `problems` of a 403 names lines and unknown searches. The call is recorded.',
  answer: 'How many grades were stored, and how many were left out.',
  example: {
    request: { id: exampleId, format: 'trec', content: 'anna 0 1002 3\n' },
  },
  statuses: [404],
  input: z.strictObject({
    id: setId,
    format: z.enum(formats).meta({ description: 'The format.' }),
    content: z.string().max(900_000).meta({ description: 'The text of the file.' }),
  }),
  output: z
    .object({ stored: z.int().meta({ examples: [1] }), left_out: z.int().meta({ examples: [0] }) })
    .meta({ id: 'ImportedJudgments' }),
  async handler({ input: { id, format, content }, caller }, context: JudgmentsContext) {
    await setOf(id, context);
    const imported = await importGrades({ set: id, format, text: content, rater: caller.memberId }, context);
    if ('problems' in imported) throw invalidParts(imported.problems);
    context.security.record('staff_decision', { staff: caller.memberId, reason: 'judgments_imported' });
    return imported;
  },
});
