import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';

/**
 * POST /internal/members/erase: the membership goes, and with it renewals. What the books have to say of the money taken
 * stays without saying whose it was (P114). Idempotent.
 */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase a member',
  ...eraseMember,
  async handler({ input: { id } }, { memberships, payments, ledger, redemptions, provider }: BillingContext) {
    // First, so that nothing is charged any more.
    await memberships.erase(id);
    await payments.disown(id);
    await redemptions.disown(id);
    await provider.forget(id);
    await ledger.disown(id);
    return {};
  },
});
