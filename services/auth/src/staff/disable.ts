import { notFound } from '@covalence/contract/failure';
import { disableStaff } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { claimId, staffSite } from '../accounts/login-key.ts';
import type { Context } from '../context.ts';
import { signOutEverywhere } from '../sign-out/sign-out-everywhere.ts';

/** POST /internal/staff/disable: the account does not sign in any more and its sign-ins end, or it may sign in again (D29). */
export const disable = endpoint({
  access: 'service',
  summary: 'Disable or enable a staff account',
  input: disableStaff.input,
  output: disableStaff.output,
  handler: async ({ input: { username, disabled } }, context: Context) => {
    const { accounts, logger } = context;
    const [claim] = await accounts.findClaims([claimId(staffSite, 'username', username)]);
    if (!claim) throw notFound();
    const staff_id = claim.member_id;
    await accounts.setDisabled(staff_id, disabled);
    if (disabled) await signOutEverywhere(staff_id, context);
    logger.info({ staff_id, disabled }, 'staff account changed');
    return { staff_id };
  },
});
