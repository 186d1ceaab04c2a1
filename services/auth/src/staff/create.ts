import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { createStaff } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { takeClaim } from '../accounts/names/claims.ts';
import { claimId, staffSite } from '../accounts/names/claim-id.ts';
import { staffPasswordAllowed } from '../accounts/passwords/password-rules.ts';
import type { Context } from '../context.ts';

/** POST /internal/staff/create: a staff account, which signs in through the staff client. */
export const create = endpoint({
  access: 'service',
  summary: 'Add a staff account',
  ...createStaff,
  codes: [failCodes.usernameTaken, failCodes.passwordInvalid],
  handler: async ({ input: { username, password } }, context: Context) => {
    const { accounts, passwords, now, security } = context;
    if (!staffPasswordAllowed(password, username)) throw invalidArgument(failCodes.passwordInvalid);
    const staff_id = v7();
    const password_hash = await passwords.hash(password);
    const mine = await takeClaim(claimId(staffSite, 'username', username), staff_id, context);
    if (!mine) throw invalidArgument(failCodes.usernameTaken);
    const account = { _id: staff_id, id: 0, siteid: staffSite, username, email: '', password_hash };
    await accounts.add({ ...account, status: 'active', staff: true, created_at: now() });
    security.record('staff_changed', { staff: staff_id, reason: 'created' });
    return { staff_id };
  },
});
