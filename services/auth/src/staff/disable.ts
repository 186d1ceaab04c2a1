import { disableStaff } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { signOutEverywhere } from '../tokens/sessions/sign-out-everywhere.ts';
import { staffIdOf, type StaffContext } from './find-staff.ts';

/** POST /internal/staff/disable: disables a staff account and signs it out everywhere, or enables it. */
export const disable = endpoint({
  access: 'service',
  summary: 'Disable or enable a staff account',
  ...disableStaff,
  handler: async ({ input: { username, disabled } }, context: StaffContext) => {
    const { accounts, security } = context;
    const staff_id = await staffIdOf(username, context);
    await accounts.setDisabled(staff_id, disabled);
    if (disabled) await signOutEverywhere(staff_id, context);
    security.record('staff_changed', { staff: staff_id, reason: disabled ? 'disabled' : 'enabled' });
    return { staff_id };
  },
});
