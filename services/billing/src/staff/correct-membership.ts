import { waitingApproval } from '@covalence/contract/peers/approvals-api';
import { refundApproved as contract } from '@covalence/contract/peers/billing-api';
import { Accepted } from '@covalence/http/accepted';
import { endpoint, serviceEndpoint } from '@covalence/http/endpoint';
import type { SubscriptionsContext as Context } from '../subscriptions/subscriptions.ts';
import { showMembership } from '../memberships/show-membership.ts';
import { correctionParameters, correctionRefusals, type Correction } from './check-correction.ts';
import { makeCorrection, planCorrection } from './make-correction.ts';
import { forSupport, membershipReport, reportOf, siteOf } from './membership-report.ts';
import { correctionPreview, previewOf } from './preview-correction.ts';
import { asksSecondPerson, requestOf } from './second-person.ts';

/** Marks a preview in the audit log. */
const wasPreview = ({ preview }: { readonly preview?: boolean | undefined }) => (preview ? ['preview'] : []);

/** Sets end, renewal or rate, or refunds a payment. The ledger has reason and author. A refusal names its reason. */
export const correctMembership = endpoint({
  access: 'staff',
  staff: { ...forSupport, about: wasPreview },
  operationId: 'correctMembership',
  summary: 'Correct the membership of a member',
  description:
    'Sets the end, the renewal or the rate, or refunds a payment; the ledger keeps the reason. The `fail` text of a refusal says why: no reason, nothing to correct, an unknown member, rate or payment, an end that is past or more than two years ahead, a member without a membership where the end or the rate is missing, an Idempotency-Key of another correction, a payment that cannot be refunded. With `preview` nothing is written: the answer is the membership as it is, and `preview` in it says what the call would do, or why it would be refused. A refund above the limit of the site, together with those of the last 30 days, is 202, and waits for GET /staff/approvals; 409 where another request for the payment waits. Counts as GET /staff/members/{id} does (429).',
  answer: 'The membership and its ledger after the correction, or before it with a preview.',
  example: { request: { member: 1002, reason: 'Double charge', autorenew: false } },
  refusals: Object.values(correctionRefusals),
  statuses: [409],
  input: correctionParameters,
  accepted: waitingApproval,
  output: membershipReport.extend({ preview: correctionPreview.optional() }).meta({ id: 'CorrectionReport' }),
  async handler({ input: { preview, ...asked }, caller, idempotencyKey }, context: Context) {
    const correction: Correction = { ...asked, reason: asked.reason ?? '' };
    const { member } = correction;
    await context.profile.countStaffView({ staff: caller.memberId, member });
    if (preview) {
      const previewed = await previewOf(correction, idempotencyKey, caller.memberId, context);
      return { ...(await reportOf(member, context)), preview: previewed };
    }
    const plan = await planCorrection(correction, idempotencyKey, context);
    if (plan.refund && (await asksSecondPerson(plan, context))) {
      const { key, amount, currency } = plan.refund.payment;
      const request = requestOf(correction, key, idempotencyKey);
      return new Accepted(
        await context.profile.requestRefund({ staff: caller.memberId, request, amount, currency }),
      );
    }
    await makeCorrection(plan, { staff: caller.memberId }, context);
    await showMembership(member, context);
    return reportOf(member, context);
  },
});

/** POST /internal/memberships/refund: makes a refund that a second person approved, once for each approval. */
export const refundApproved = serviceEndpoint(
  contract,
  async ({ approval, request, staff, approved_by }, context: Context) => {
    const { autorenew, ...asked } = correctionParameters.parse(request);
    const { member, reason, key = approval } = request;
    // Nobody could end the renewal of a member who was deleted since.
    const isLeftOff = autorenew === true && (await siteOf(member, context)) === undefined;
    const correction = { ...asked, reason, autorenew: isLeftOff ? undefined : autorenew };
    const plan = await planCorrection(correction, key, context, approved_by);
    await makeCorrection(plan, { staff, approved_by }, context);
    await showMembership(member, context);
    return {};
  },
);
