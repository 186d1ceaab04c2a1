import { pagesize, wholeNumber } from '@covalence/contract/parameters';
import { utcDay } from '@covalence/contract/time';
import { z } from 'zod';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { pageOf } from '../members/page.ts';
import { relationOf, type Sides } from '../pairs/pair.ts';
import type { ModerationContext } from './moderation.ts';
import { reportCategories, reportOutcomes } from './report-categories.ts';
import type { Report } from './report-store.ts';

/** A report as its reporter sees it. */
export const ownReportSchema = z
  .strictObject({
    profileid: z.int().meta({ examples: [1002] }),
    category: z.enum(reportCategories).nullable(),
    reason: z.string().nullable(),
    filed_at: z.iso.datetime(),
    state: z.enum(['received', 'decided']),
    outcome: z.enum(reportOutcomes).nullable().meta({
      description:
        '`measures`: something of the member or the account was restricted. Null while undecided, and where it is not told.',
    }),
    decided_on: z.iso.date().nullable(),
  })
  .meta({ id: 'OwnReport' });

/**
 * A report as its reporter sees it. The blocked learn the outcome only where staff decided on this very report, because
 * the decision on another one would tell them what the block hides. The day, and not the time, is that of the decision.
 */
function ownReport(
  { reported, category, reason, filed_at, closed_at, decided }: Report,
  sides: Sides | undefined,
): z.output<typeof ownReportSchema> {
  const { blocked } = relationOf(sides);
  const isTold = decided?.stated || (blocked !== 'you' && blocked !== 'both');
  const at = decided?.at ?? closed_at;
  return {
    profileid: reported,
    category: category ?? null,
    reason: reason ?? null,
    filed_at: filed_at.toISOString(),
    state: at ? 'decided' : 'received',
    outcome: (isTold && decided?.outcome) || null,
    decided_on: at ? utcDay(at) : null,
  };
}

/** Reports as their reporter sees them. */
export async function ownReports({ pairs }: ModerationContext, reporter: number, reports: readonly Report[]) {
  const sides = await pairs.store.readMany(
    reporter,
    reports.map(({ reported }) => reported),
  );
  return reports.map((report) => ownReport(report, sides.get(report.reported)));
}

/** GET /members/self/reports */
export const listOwnReports = memberEndpoint({
  tag: 'Interest',
  operationId: 'listOwnReports',
  summary: 'List your reports',
  description:
    'The outcomes of the caller’s reports, by number of the reported member. To contest a decision, report the member again; the report is then reviewed again.',
  answer: 'A page of reports.',
  input: z.object({
    cursor: wholeNumber.optional().meta({ type: 'integer', description: '`next` of the page before.' }),
    pagesize,
  }),
  output: z
    .object({ reports: z.array(ownReportSchema), next: z.int().nullable() })
    .meta({ id: 'OwnReports' }),
  handler: async ({ input: { cursor, pagesize: size }, member }, context: ModerationContext) => {
    const found = await context.moderation.reports.filedBy(member._id, size + 1, cursor);
    const { entries, next } = pageOf(found, size, ({ reported }) => String(reported));
    return {
      reports: await ownReports(context, member._id, entries),
      next: next === null ? null : Number(next),
    };
  },
});
