import { switchRenewal } from '@covalence/contract/internal/billing-api';
import { endpoint } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';
import { changeRenewal } from './change-renewal.ts';
import { toldVersionOf } from './membership.ts';

/**
 * POST /internal/memberships/renewal: what POST /packages/cancel does, and its opposite. Renewal that is switched on again
 * after it failed is tried again by the job; a membership that has ended stays ended.
 */
export const switchRenewalEndpoint = endpoint({
  access: 'service',
  summary: 'Switches the renewal of a membership on or off',
  ...switchRenewal,
  async handler({ input: { member, autorenew } }, context: BillingContext) {
    const now = await changeRenewal(context, member, autorenew, context.clock());
    return { membership: now ? toldVersionOf(now) : null };
  },
});
