import { failCodes } from '@covalence/contract/failure-codes';
import { invalidArgument } from '@covalence/contract/failure';
import { createStaff } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { claimName } from '../accounts/names/claims.ts';
import { claimId, staffSite } from '../accounts/names/claim-id.ts';
import { staffPasswordAllowed } from '../accounts/passwords/password-rules.ts';
import type { StaffContext } from './find-staff.ts';

/** POST /internal/staff/create: adds a staff account, which signs in through the staff client. */
export const create = endpoint({
  access: 'service',
  summary: 'Add a staff account',
  ...createStaff,
  codes: [failCodes.usernameTaken, failCodes.passwordInvalid],
  handler: async ({ input: { username, password } }, context: StaffContext) => {
    const { accounts, now, security } = context;
    if (!staffPasswordAllowed(password, username)) throw invalidArgument(failCodes.passwordInvalid);
    const staff_id = v7();
    const password_hash = await accounts.passwords.hash(password);
    const isClaimed = await claimName(claimId(staffSite, 'username', username), staff_id, context);
    if (!isClaimed) throw invalidArgument(failCodes.usernameTaken);
    const account = { _id: staff_id, id: 0, siteid: staffSite, username, email: '', password_hash };
    await accounts.pending.add({ ...account, status: 'active', staff: true, created_at: now() });
    security.record('staff_changed', { staff: staff_id, reason: 'created' });
    return { staff_id };
  },
});
