import { notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { decisionInput } from './staff-call.ts';

/** POST /staff/reports/{reportid}/close: the report was looked at; what else is to be done is decided on the member. */
export const closeReport = endpoint({
  access: 'staff',
  summary: 'Close a report',
  input: z.object({ reportid: z.string(), reason: decisionInput.reason }),
  output: z.object({ report_id: z.string(), changed: z.boolean() }),
  handler: async ({ input: { reportid, reason }, caller }, context: Context) => {
    const found = await context.reports.find(reportid);
    if (!found) throw notFound();
    const at = context.clock();
    const changed = await context.reports.close(reportid, caller.memberId, at);
    if (changed) {
      const entry = { id: v7(), member: found.reported, staff: caller.memberId, at, report: reportid };
      await context.decisions.append([{ ...entry, action: 'close-report', ...(reason && { reason }) }]);
    }
    return { report_id: reportid, changed };
  },
});
