import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { changeRenewal } from './change-renewal.ts';
import { membershipView, viewOf } from './membership-view.ts';
import { showMembership } from './show-membership.ts';

/**
 * POST /packages/cancel: the membership is not renewed. What is paid for stays until its end; one whose renewal failed
 * ends at once. Again, or without a membership, it changes nothing.
 */
export const cancelMembership = endpoint({
  access: 'member',
  summary: 'Ends the renewal of the current membership',
  input: z.object({}),
  output: membershipView,
  async handler({ caller }, context: BillingContext) {
    const at = context.clock();
    const membership = await changeRenewal(context, caller.id, false, at);
    await showMembership(membership, context);
    return viewOf(membership, at);
  },
});
