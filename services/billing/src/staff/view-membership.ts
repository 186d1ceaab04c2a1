import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { memberInPath, membershipReport, reportOf } from './membership-report.ts';

/** GET /staff/memberships/{member}: the membership and the ledger of a member, numeric id; `none` where there is none. */
export const viewMembership = endpoint({
  access: 'staff',
  summary: 'Shows the membership and the ledger of a member',
  input: z.object({ member: memberInPath }),
  output: membershipReport,
  handler: ({ input: { member } }, context: BillingContext) => reportOf(member, context),
});
