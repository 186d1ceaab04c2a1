import { stopRenewal } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';
import { endRenewal } from '../memberships/cancel-membership.ts';

/** POST /internal/memberships/stop: a member who deletes themselves is not charged again. Idempotent. */
export const stop = endpoint({
  access: 'service',
  summary: 'End the renewal of a membership',
  ...stopRenewal,
  async handler({ input: { id } }, context: BillingContext) {
    await endRenewal(id, context);
    return {};
  },
});
