import { failCodes } from '@covalence/contract/failure-codes';
import { keptText } from '@covalence/contract/kept-text';
import { optional, profileid } from '@covalence/contract/parameters';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { keepEvidence } from './collect-evidence.ts';
import { otherMember } from '../../pairs/other-member.ts';
import { memberEndpoint } from '../../members/member-endpoint.ts';

const longestReason = 1_000;

/** POST /report */
export const report = memberEndpoint({
  tag: 'Interest',
  operationId: 'reportMember',
  summary: 'Report a member',
  description: 'Reports a member to Customer Service. Repeating the call changes nothing.',
  answer: 'The report is filed.',
  example: { request: { profileid: 1002, reason: 'Asks for money' } },
  input: z.object({
    profileid,
    reason: optional(keptText(longestReason)).meta({ description: 'The reason, in the member’s words.' }),
  }),
  output: z.object({}),
  codes: [failCodes.receiverIsSender, failCodes.receiverNotFound],
  handler: async ({ input, member: viewer }, context: ModerationContext) => {
    const other = await otherMember(context, viewer, input.profileid);
    const filed = { reported: other._id, reporter: viewer._id, siteid: other.siteid };
    await keepEvidence(context, other, viewer._id, input.reason);
    // Each step is safe to repeat, so a retry completes a call that failed.
    await context.moderation.reports.file(
      { ...filed, ...(input.reason && { reason: input.reason }) },
      context.clock(),
    );
    await context.pairs.store.act(viewer._id, other._id, 'report');
    return {};
  },
});
