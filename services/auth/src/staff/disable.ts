import { notFound } from '@covalence/contract/failure';
import { disableStaff } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { claimId, staffSite } from '../accounts/login-key.ts';
import type { Context } from '../context.ts';

/** POST /internal/staff/disable: the account neither signs in nor refreshes, or does again (D29). */
export const disable = endpoint({
  access: 'service',
  summary: 'Disable or enable a staff account',
  input: disableStaff.input,
  output: disableStaff.output,
  handler: async ({ input: { username, disabled } }, { accounts, logger }: Context) => {
    const [claim] = await accounts.findClaims([claimId(staffSite, 'username', username)]);
    if (!claim) throw notFound();
    const staff_id = claim.member_id;
    await accounts.setDisabled(staff_id, disabled);
    logger.info({ staff_id, disabled }, 'staff account changed');
    return { staff_id };
  },
});
