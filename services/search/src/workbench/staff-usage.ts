import { wholeNumber } from '@covalence/contract/parameters';
import { dayMs, startOfUtcDay, utcDay } from '@covalence/contract/time';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { everySite } from '../publishing/staff-settings.ts';
import { judgeUse } from '../usage/judge-use.ts';
import type { StaffSearchContext } from './staff-comparison.ts';

/** Searches that a call reads: it holds them in memory. The command line reads all. */
const mostSearches = 10_000;

/** Comparisons that a call counts as, because it takes as long as these. */
const costs = 20;

const count = z.int().meta({ examples: [120] });

/** GET /staff/search/usage: what members searched, and what they did with the results. */
export const showUsage = endpoint({
  access: 'staff',
  staff: everySite,
  operationId: 'getStaffUsage',
  summary: 'Get what members search and do with results',
  description: `Reports recorded searches of complete days (UTC), under pseudonyms. \`kinds\` has searches that at least five members made in the same week (from Thursday, UTC). Grades are of members whom five searchers saw, with the bias of positions corrected. What followed counts until the end of yesterday. A call reads at most ${mostSearches.toLocaleString('en-US')} searches, the earliest of the days, and counts as ${costs} of the account’s 600 comparisons an hour.`,
  answer: 'The usage report.',
  input: z.object({
    days: wholeNumber.pipe(z.int().min(1).max(90)).default(7).meta({
      type: 'integer',
      minimum: 1,
      maximum: 90,
      default: 7,
      description: 'Days before today (UTC).',
    }),
    by: z.enum(['like', 'view']).default('like').meta({
      description: 'What speaks for a result. `like`: likes, messages and replies; `view`: these and views.',
    }),
  }),
  output: z
    .object({
      since: z.iso.date().meta({ examples: ['2026-03-01'] }),
      searches: count.meta({ description: 'Searches that were read.' }),
      complete: z.boolean().meta({ description: 'Whether these are all.', examples: [true] }),
      kinds: z
        .array(
          z
            .object({
              criteria: z.string().meta({ examples: ['age=20-50 smoking=10 relevance'] }),
              version: z.int().meta({ description: 'The settings in force.', examples: [3] }),
              searchers: count.meta({ description: 'Each counts once a week.' }),
              results: count.meta({ description: 'Members who were shown to a searcher.' }),
              acted: count.meta({ description: 'Those of them whom the searcher acted on.' }),
              rate: z
                .number()
                .nullable()
                .meta({
                  description: 'Acted on, of 100 who are looked at; null while the looks are unknown.',
                  examples: [2.5],
                }),
            })
            .meta({ id: 'StaffUsageKind' }),
        )
        .meta({ description: 'Kinds of searches by version, the most frequent first.' }),
      examined: z
        .array(
          z
            .object({
              up_to: z.int().meta({ description: 'A position, or the last one of a range.', examples: [1] }),
              looks: z
                .number()
                .nullable()
                .meta({ description: 'Relative to the most looked at.', examples: [0.8] }),
            })
            .meta({ id: 'StaffUsagePosition' }),
        )
        .meta({ description: 'Empty where too few results moved between positions.' }),
      judgments: z.array(
        z
          .object({
            topic: z.string().meta({ examples: ['1/2026-03-01/age=20-50_relevance'] }),
            shown: z.string().meta({ description: 'The pseudonym of the member on that day.' }),
            grade: z.int().min(0).max(3),
          })
          .meta({ id: 'StaffUsageJudgment' }),
      ),
    })
    .meta({ id: 'StaffUsage' }),
  async handler({ input: { days, by }, caller }, { usage, comparisons, clock }: StaffSearchContext) {
    await comparisons.use(caller.memberId, 'comparisons', costs);
    // Counts that grow during the day would reveal what somebody does now.
    const before = startOfUtcDay(clock());
    const since = new Date(before.getTime() - days * dayMs);
    const judged = await judgeUse(usage.store, { since, before, most: mostSearches }, by);
    const { searches, complete, versions, examined, judgments } = judged;
    return {
      since: utcDay(since),
      searches,
      complete,
      kinds: versions.map(({ settings, ...kind }) => ({ ...kind, version: settings })),
      examined: examined.map(({ upTo, looks }) => ({ up_to: upTo, looks })),
      judgments: [...judgments],
    };
  },
});
