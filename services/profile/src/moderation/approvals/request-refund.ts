import { requestRefund as contract } from '@covalence/contract/peers/approvals-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { ModerationContext } from '../moderation.ts';
import { requestApproval } from '../decisions/request-approval.ts';

/** POST /internal/approvals/refund: lets a refund wait for a second person. */
export const requestRefund = serviceEndpoint(
  contract,
  async ({ staff, request, amount, currency }, context: ModerationContext) => {
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
);
