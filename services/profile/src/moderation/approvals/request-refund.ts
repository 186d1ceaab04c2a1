import { requestRefund as contract } from '@covalence/contract/internal/approvals-api';
import { endpoint } from '@covalence/http/endpoint';
import type { ModerationContext } from '../moderation.ts';
import { requestApproval } from '../request-approval.ts';

/** POST /internal/approvals/refund: lets a refund wait for a second person. */
export const requestRefund = endpoint({
  access: 'service',
  summary: 'Request the approval of a refund',
  ...contract,
  handler: async ({ input: { staff, request, amount, currency } }, context: ModerationContext) => {
    const { member } = request;
    const siteid = (await context.members.store.byId(member))?.siteid;
    return requestApproval(context, {
      action: 'refund',
      subject: `refund:${request.refund}`,
      member,
      siteid,
      staff,
      input: request,
      amount,
      currency,
    });
  },
});
