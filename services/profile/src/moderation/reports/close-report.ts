import { notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { decisionInput } from '../staff-call.ts';

/** POST /staff/reports/{reportid}/close */
export const closeReport = endpoint({
  access: 'staff',
  tag: 'Staff',
  operationId: 'closeReport',
  summary: 'Close a report',
  description: 'Marks the report as reviewed; decide on the member separately.',
  answer: 'Whether the call closed the report.',
  example: { request: { reportid: '1001:1002' } },
  input: z.object({
    reportid: z.string().meta({ description: 'The report.' }),
    reason: decisionInput.reason,
  }),
  output: z
    .object({
      report_id: z.string().meta({ examples: ['1001:1002'] }),
      changed: z.boolean().meta({ examples: [true] }),
    })
    .meta({ id: 'ReportDecision' }),
  handler: async ({ input: { reportid, reason }, caller }, context: ModerationContext) => {
    const { reports, decisions } = context.moderation;
    const changed = await reports.close(reportid, { by: caller.memberId, as: v7(), at: context.clock() });
    const found = await reports.find(reportid);
    if (!found) throw notFound();
    const { reported, closed_by, closed_as: id, closed_at: at } = found;
    // Also where nothing changed, because an earlier call may have failed before this step.
    if (id && at && closed_by === caller.memberId) {
      const entry = { id, member: reported, staff: closed_by, at, report: reportid };
      await decisions.append([{ ...entry, action: 'close-report', ...(reason && { reason }) }]);
    }
    return { report_id: reportid, changed };
  },
});
