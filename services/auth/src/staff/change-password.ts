import { failCodes } from '@covalence/contract/failure-codes';
import { invalidArgument } from '@covalence/contract/failure';
import { changeStaffPassword } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { staffPasswordAllowed } from '../accounts/passwords/password-rules.ts';
import { signOutEverywhere } from '../tokens/sessions/sign-out-everywhere.ts';
import { staffIdOf, type StaffContext } from './find-staff.ts';

/**
 * POST /internal/staff/password: sets the password of a staff account and signs it out everywhere. Staff have no
 * e-mail address for a reset link.
 */
export const changePassword = endpoint({
  access: 'service',
  summary: 'Set the password of a staff account',
  ...changeStaffPassword,
  codes: [failCodes.passwordInvalid],
  handler: async ({ input: { username, password } }, context: StaffContext) => {
    const { accounts, security } = context;
    const staff_id = await staffIdOf(username, context);
    if (!staffPasswordAllowed(password, username)) throw invalidArgument(failCodes.passwordInvalid);
    await accounts.setStaffPassword(staff_id, await accounts.passwords.hash(password));
    await signOutEverywhere(staff_id, context);
    await accounts.attempts.reset('account', staff_id);
    security.record('staff_changed', { staff: staff_id, reason: 'password' });
    return { staff_id };
  },
});
