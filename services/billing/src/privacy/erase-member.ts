import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';
import { forgetMember } from './forget-member.ts';

/** POST /internal/members/erase: see forgetMember(). Idempotent. */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase a member',
  ...eraseMember,
  async handler({ input: { id } }, context: BillingContext) {
    await forgetMember(id, context);
    return {};
  },
});
