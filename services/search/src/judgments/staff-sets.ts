import { canonicalName } from '@covalence/contract/catalogue/fields';
import { conflicting, invalidArgument, notFound } from '@covalence/contract/failure';
import { isMap } from '@covalence/contract/is-map';
import { wholeNumber } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { normalizeNames } from '@covalence/http/names';
import { z } from 'zod';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import { sortBys } from '../relevance/sort.ts';
import { mostKept, type JudgmentSetEntry } from './judgment-set-store.ts';
import { searchCodes } from '../searches/search.ts';
import { searcherIn } from '../workbench/staff-comparison.ts';
import { agreementOf } from './agreement.ts';
import {
  exampleId,
  grade,
  memberNumber,
  onSet,
  resultsOf,
  setId,
  setOf,
  type JudgmentsContext,
} from './judgments.ts';

/** Words with single blanks and without `_`, so that it is one topic of TREC. A spreadsheet takes none for a formula. */
const name = z
  .string()
  .max(100)
  .regex(/^(?=[\p{L}\p{N}])[^\s_\p{C}]+( [^\s_\p{C}]+)*$/u)
  .meta({ examples: ['non-smokers'] });

/** Characters of the criteria of a search. */
const mostCriteria = 10_000;

const entry = {
  id: z.uuid(),
  siteid: z.int().meta({ examples: [1] }),
  name: z.string().meta({ examples: ['non-smokers'] }),
  at: z.iso.datetime().meta({ examples: ['2026-03-01T12:00:00.000Z'] }),
};

const shownEntry = ({ at, ...rest }: JudgmentSetEntry) => ({ ...rest, at: at.toISOString() });

/** GET /staff/search/judgment-sets: the sets of the caller's sites. */
export const listJudgmentSets = endpoint({
  access: 'staff',
  staff: { roles: ['search'], site: 'several' },
  operationId: 'listStaffJudgmentSets',
  summary: 'List judgment sets',
  description: 'Sets of searches whose results are graded, of the sites on which the role counts.',
  answer: 'The sets, by site and name.',
  input: z.object({}),
  output: z
    .object({ sets: z.array(z.object(entry).meta({ id: 'StaffJudgmentSetEntry' })) })
    .meta({ id: 'StaffJudgmentSets' }),
  handler: async ({ sites }, { judgments }: JudgmentsContext) => ({
    sets: (await judgments.sets.list(sites)).map(shownEntry),
  }),
});

const created = z.object({ id: z.uuid() }).meta({ id: 'CreatedJudgments' });

/** POST /staff/search/judgment-sets: creates a set. */
export const createJudgmentSet = endpoint({
  access: 'staff',
  staff: {
    roles: ['search'],
    site: ({ siteid }: { readonly siteid: number }) => Promise.resolve(siteid),
  },
  operationId: 'createStaffJudgmentSet',
  summary: 'Create a judgment set',
  description: `A site has at most ${mostKept.sets} sets. One more, and one of the same name, is 409.`,
  answer: 'The id of the set.',
  example: { request: { siteid: 1, name: 'non-smokers' } },
  statuses: [404, 409],
  input: z.strictObject({
    siteid: wholeNumber.pipe(z.int().min(1)).meta({ type: 'integer', minimum: 1, description: 'The site.' }),
    name: name.meta({ description: 'Unique on the site.' }),
  }),
  output: created,
  async handler({ input: { siteid, name: given } }, { judgments, sites }: JudgmentsContext) {
    if (!sites.has(siteid)) throw notFound();
    const id = await judgments.sets.create(siteid, given);
    if (!id) throw conflicting();
    return { id };
  },
});

/** GET /staff/search/judgment-sets/:id: a set with its searches and ratings. */
export const showJudgmentSet = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'getStaffJudgmentSet',
  summary: 'Get a judgment set',
  description: 'Searches with the grades of their results by rater, and how far raters agree.',
  answer: 'The set.',
  example: { request: { id: exampleId } },
  statuses: [404],
  input: z.object({ id: setId }),
  output: z
    .object({
      ...entry,
      agreement: z
        .number()
        .nullable()
        .meta({
          description:
            'Krippendorff’s alpha of ordered grades: 1 if raters agree, 0 if as by chance; null until two have rated the same results.',
          examples: [0.8],
        }),
      searches: z.array(
        z
          .object({
            id: z.uuid(),
            name: z.string().meta({ examples: ['anna'] }),
            member: z.int().meta({ examples: [1001] }),
            sortby: z.enum(sortBys),
            criteria: z
              .looseObject({})
              .meta({ description: 'As POST /searches takes them.', examples: [{ age: { to: 42 } }] }),
            results: z.array(
              z
                .object({
                  member: z.int().meta({ examples: [1002] }),
                  ratings: z.array(
                    z
                      .object({
                        rater: z
                          .string()
                          .meta({ description: 'A staff account, or a column of an imported file.' }),
                        grade,
                        mine: z.boolean().meta({ description: 'Whether the caller gave it.' }),
                      })
                      .meta({ id: 'StaffRating' }),
                  ),
                })
                .meta({ id: 'StaffRatedMember' }),
            ),
          })
          .meta({ id: 'StaffJudgedSearch' }),
      ),
    })
    .meta({ id: 'StaffJudgmentSet' }),
  async handler({ input: { id }, caller }, context: JudgmentsContext) {
    const { sets } = context.judgments;
    const set = await setOf(id, context);
    const [searches, ratings] = await Promise.all([sets.searches(id), sets.ratings(id)]);
    const bySearch = resultsOf(ratings);
    const units = [...bySearch.values()].flatMap((results) =>
      [...results.values()].map((of) => of.map((one) => one.grade)),
    );
    return {
      ...shownEntry(set),
      agreement: agreementOf(units) ?? null,
      searches: searches.map((search) => ({
        ...search,
        results: [...(bySearch.get(search.id) ?? [])].map(([member, of]) => ({
          member,
          ratings: of.map(({ rater, grade: given }) => ({
            rater,
            grade: given,
            mine: rater === caller.memberId,
          })),
        })),
      })),
    };
  },
});

/** DELETE /staff/search/judgment-sets/:id: deletes a set. */
export const deleteJudgmentSet = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'deleteStaffJudgmentSet',
  summary: 'Delete a judgment set',
  description: 'Deletes its searches, ratings and runs too. The call is recorded.',
  answer: 'The judgment set is deleted.',
  example: { request: { id: exampleId } },
  statuses: [404],
  input: z.object({ id: setId }),
  output: z.object({}),
  async handler({ input: { id }, caller }, context: JudgmentsContext) {
    const { judgments, security } = context;
    await setOf(id, context);
    security.record('staff_decision', { staff: caller.memberId, reason: 'judgments_deleted' });
    await judgments.runs.remove(id);
    await judgments.sets.remove(id);
    return {};
  },
});

/** POST /staff/search/judgment-sets/:id/searches: adds a search. */
export const addJudgedSearch = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'addStaffJudgedSearch',
  summary: 'Add a search to a judgment set',
  description: `The member must be of the set’s site: any other is 404. A set has at most ${mostKept.searches} searches; one more, and one of the same name, is 409. The call is recorded.`,
  answer: 'The id of the search.',
  example: {
    request: { id: exampleId, name: 'anna', member: 1001, criteria: { age: { from: 30, to: 45 } } },
  },
  statuses: [404, 409],
  codes: searchCodes,
  input: z.strictObject({
    id: setId,
    name: name.meta({ description: 'Unique in the set.' }),
    member: memberNumber.meta({ type: 'integer', minimum: 1, description: '`id` of the searcher.' }),
    criteria: z
      .custom<Record<string, unknown>>(
        (given) => isMap(given) && JSON.stringify(given).length <= mostCriteria,
      )
      .transform((given) => normalizeNames(given, canonicalName))
      .meta({ description: 'As POST /searches takes them.', $ref: '#/components/schemas/SearchCriteria' }),
    sortby: z.enum(sortBys).default('relevance').meta({ description: 'The order.' }),
  }),
  output: created,
  async handler({ input: { id, ...search }, caller }, context: JudgmentsContext) {
    const set = await setOf(id, context);
    const viewer = await searcherIn(context.profile.readViewer({ id: search.member }));
    if (viewer?.member.siteid !== set.siteid) throw notFound();
    const { failcodes } = parseSearch(search.criteria, { ...searcherOf(viewer, context), platinum: true });
    if (failcodes.length) throw invalidArgument(...failcodes);
    const added = await context.judgments.sets.addSearch(id, search);
    if (!added) throw conflicting();
    context.security.record('staff_decision', {
      staff: caller.memberId,
      memberNumber: search.member,
      reason: 'searched_as_member',
    });
    return { id: added };
  },
});

/** DELETE /staff/search/judgment-sets/:id/searches/:searchid: deletes a search. */
export const removeJudgedSearch = endpoint({
  access: 'staff',
  staff: onSet,
  operationId: 'deleteStaffJudgedSearch',
  summary: 'Delete a search of a judgment set',
  description: 'Deletes its grades too. Runs keep its name and metrics.',
  answer: 'The search is deleted, or there was none.',
  example: { request: { id: exampleId, searchid: exampleId } },
  statuses: [404],
  input: z.object({ id: setId, searchid: z.uuid().meta({ description: 'The search.' }) }),
  output: z.object({}),
  async handler({ input: { id, searchid } }, context: JudgmentsContext) {
    await setOf(id, context);
    await context.judgments.sets.removeSearch(id, searchid);
    return {};
  },
});
