import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { memberInPath, membershipReport, reportOf } from './membership-report.ts';

export const viewMembership = endpoint({
  access: 'staff',
  tag: 'Staff',
  operationId: 'getStaffMembership',
  summary: 'Get the membership of a member',
  description: 'The membership of a member with every payment, refund and correction.',
  answer: 'The membership and its ledger.',
  example: { request: { member: 1002 } },
  input: z.object({ member: memberInPath }),
  output: membershipReport,
  handler: ({ input: { member } }, context: BillingContext) => reportOf(member, context),
});
