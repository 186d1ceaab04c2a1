import { appealStates } from '@covalence/contract/peers/appeals-api';
import { pagesize, wholeNumber } from '@covalence/contract/parameters';
import { dayMs, utcDay } from '@covalence/contract/time';
import { z } from 'zod';
import { memberEndpoint } from '../../members/member-endpoint.ts';
import { pageOf } from '../../members/page.ts';
import { relationOf, type Sides } from '../../pairs/pair.ts';
import type { Appeal } from '../store/appeal-store.ts';
import { appealableUntil, closingStateOf } from '../appeal-state.ts';
import type { ModerationContext } from '../moderation.ts';
import { reportCategories, reportOutcomes, type ReportOutcome, type Report } from '../store/report-store.ts';

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
        '`measures`: something of the member or the account was restricted. Null while undecided, or while it is withheld from the reporter.',
    }),
    decided_on: z.iso.date().nullable(),
    appeal: z
      .strictObject({
        state: z.enum(appealStates),
        until: z.iso.date().meta({ description: 'The last day on which one can be filed.' }),
        answer: z.string().nullable().meta({ description: 'The answer of staff.' }),
      })
      .meta({ id: 'ReportAppeal' })
      .nullable()
      .meta({ description: 'For the outcome `none`, and of the report that an appeal opened again.' }),
  })
  .meta({ id: 'OwnReport' });

/** The decision on a report that is in force. */
const decisionInForce = ({ decided }: Report) => (decided?.taken_back ? undefined : decided);

/**
 * The outcome of a report that its reporter may learn. The blocked learn it only where staff decided on this very report,
 * because the decision on another one would tell them what the block hides.
 */
export function disclosedOutcome(report: Report, sides: Sides | undefined): ReportOutcome | undefined {
  const decided = decisionInForce(report);
  const { blocked } = relationOf(sides);
  return decided?.stated || (blocked !== 'you' && blocked !== 'both') ? decided?.outcome : undefined;
}

/** The appeal against the outcome, where the reporter knows one to appeal. */
function appealOf(report: Report, outcome: ReportOutcome | undefined, appeal: Appeal | undefined, now: Date) {
  const { closed_as, decided } = report;
  if (closed_as === undefined || !decided || (outcome !== 'none' && !appeal)) return null;
  // A day that can be used to its end.
  const until = appealableUntil(decided).getTime() - dayMs;
  return {
    state: closingStateOf(report, closed_as, appeal, now),
    until: utcDay(new Date(until)),
    answer: appeal?.decided?.answer ?? null,
  };
}

/** A report as its reporter sees it. The day, and not the time, is that of the decision. */
function ownReport(
  report: Report,
  sides: Sides | undefined,
  appeal: Appeal | undefined,
  now: Date,
): z.output<typeof ownReportSchema> {
  const { reported, category, reason, filed_at, closed_at } = report;
  const at = decisionInForce(report)?.at ?? closed_at;
  const outcome = disclosedOutcome(report, sides);
  return {
    profileid: reported,
    category: category ?? null,
    reason: reason ?? null,
    filed_at: filed_at.toISOString(),
    state: at ? 'decided' : 'received',
    outcome: outcome ?? null,
    decided_on: at ? utcDay(at) : null,
    appeal: appealOf(report, outcome, appeal, now),
  };
}

/** Reports as their reporter sees them. */
export async function ownReports(
  { clock, moderation, pairs }: ModerationContext,
  reporter: number,
  reports: readonly Report[],
) {
  const [sides, appeals] = await Promise.all([
    pairs.store.readMany(
      reporter,
      reports.map(({ reported }) => reported),
    ),
    moderation.appeals.againstSome(reports.flatMap(({ closed_as }) => closed_as ?? [])),
  ]);
  return reports.map((report) => {
    const appeal = appeals.find(({ decision }) => decision === report.closed_as);
    return ownReport(report, sides.get(report.reported), appeal, clock());
  });
}

/** GET /members/self/reports */
export const listOwnReports = memberEndpoint({
  tag: 'Interest',
  operationId: 'listOwnReports',
  summary: 'List your reports',
  description:
    'The outcomes of the caller’s reports, by number of the reported member. `none` can be appealed (POST /members/self/reports/{profileid}/appeal). A repeated report is reviewed again.',
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
