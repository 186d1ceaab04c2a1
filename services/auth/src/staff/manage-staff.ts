import { failCodes } from '@covalence/contract/failure-codes';
import { invalidArgument } from '@covalence/contract/failure';
import { everySite, type RolesBySite } from '@covalence/contract/staff-roles';
import * as staffApi from '@covalence/contract/peers/staff-api';
import { dayMs } from '@covalence/contract/time';
import { serviceEndpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { claimId, staffSite } from '../accounts/names/names.ts';
import { claimName } from '../accounts/names/claims.ts';
import { staffPasswordAllowed } from '../accounts/passwords/password-rules.ts';
import { signOutEverywhere } from '../tokens/sessions/sign-out-everywhere.ts';
import { newRecoveryCode } from '../accounts/second-factors.ts';
import { recordCommandCall } from './audit.ts';
import { staffIdOf, type StaffContext } from './find-staff.ts';

/** Throws when a role is for a site that does not exist. */
function checkSites(roles: RolesBySite, { sites }: StaffContext): void {
  const isKnown = (site: string) => site === everySite || sites.has(Number(site));
  if (!Object.keys(roles).every(isKnown)) throw invalidArgument();
}

/** Writes a command on the servers to the audit log before it changes a staff account. */
const audited = ({ path }: { readonly path: string }, staff_id: string, context: StaffContext) =>
  recordCommandCall({ call: `POST ${path}`, about: [staff_id] }, context);

/** Time for the first sign-in with a password that was generated for somebody. */
const initialMs = 3 * dayMs;

const initialUntil = (isInitial: boolean, { clock }: StaffContext): Date | undefined =>
  isInitial ? new Date(clock().getTime() + initialMs) : undefined;

/** POST /internal/staff/create: adds a staff account, which signs in through the staff client. */
export const createStaff = serviceEndpoint(
  { ...staffApi.createStaff, codes: [failCodes.usernameTaken, failCodes.passwordInvalid] },
  async ({ username, password, initial, roles }, context: StaffContext) => {
    const { accounts, clock, security } = context;
    checkSites(roles, context);
    if (!staffPasswordAllowed(password, username)) throw invalidArgument(failCodes.passwordInvalid);
    const staff_id = v7();
    const password_hash = await accounts.passwords.hash(password);
    const isClaimed = await claimName(claimId(staffSite, 'username', username), staff_id, context);
    if (!isClaimed) throw invalidArgument(failCodes.usernameTaken);
    await audited(staffApi.createStaff, staff_id, context);
    const account = { _id: staff_id, id: 0, siteid: staffSite, username, email: '', password_hash };
    const initial_password_until = initialUntil(initial, context);
    const more = { roles, ...(initial_password_until && { initial_password_until }) };
    await accounts.pending.add({ ...account, ...more, status: 'active', staff: true, created_at: clock() });
    security.record('staff_changed', { staff: staff_id, reason: 'created' });
    return { staff_id };
  },
);

/** POST /internal/staff/list: the staff accounts, by name. */
export const listStaff = serviceEndpoint(staffApi.listStaff, async (_input, { accounts }: StaffContext) => {
  const ids = await accounts.claims.staffIds();
  const found = new Map((await accounts.findMany(ids)).map((account) => [account._id, account]));
  const staff = ids.flatMap((id) => found.get(id) ?? []);
  return {
    staff: staff.map(({ _id, username, disabled = false, roles = {} }) => ({
      staff_id: _id,
      username,
      disabled,
      roles,
    })),
  };
});

/**
 * POST /internal/staff/password: sets a password and signs out everywhere, before and after, because the former password may sign in
 * in between. Staff have no reset link.
 */
export const changeStaffPassword = serviceEndpoint(
  { ...staffApi.changeStaffPassword, codes: [failCodes.passwordInvalid] },
  async ({ username, password, initial }, context: StaffContext) => {
    const { accounts, security } = context;
    const staff_id = await staffIdOf(username, context);
    if (!staffPasswordAllowed(password, username)) throw invalidArgument(failCodes.passwordInvalid);
    const hash = await accounts.passwords.hash(password);
    await audited(staffApi.changeStaffPassword, staff_id, context);
    await signOutEverywhere(staff_id, context);
    await accounts.setStaffPassword(staff_id, hash, initialUntil(initial, context));
    await signOutEverywhere(staff_id, context);
    await accounts.attempts.reset('account', staff_id);
    security.record('staff_changed', { staff: staff_id, reason: 'password' });
    return { staff_id };
  },
);

/** POST /internal/staff/roles: replaces the roles and signs out everywhere, so that no token has the former ones. */
export const setStaffRoles = serviceEndpoint(
  staffApi.setStaffRoles,
  async ({ username, roles }, context: StaffContext) => {
    const { accounts, security } = context;
    checkSites(roles, context);
    const staff_id = await staffIdOf(username, context);
    await audited(staffApi.setStaffRoles, staff_id, context);
    await accounts.setRoles(staff_id, roles);
    await signOutEverywhere(staff_id, context);
    security.record('staff_changed', { staff: staff_id, reason: 'roles' });
    return { staff_id };
  },
);

/** POST /internal/staff/factor/reset: for a lost phone. The password alone must not add another one, so a code does. */
export const resetStaffFactor = serviceEndpoint(
  staffApi.resetStaffFactor,
  async ({ username }, context: StaffContext) => {
    const { accounts, security } = context;
    const staff_id = await staffIdOf(username, context);
    await audited(staffApi.resetStaffFactor, staff_id, context);
    const { code, hash } = newRecoveryCode();
    await accounts.secondFactors.reset(staff_id, hash);
    await signOutEverywhere(staff_id, context);
    security.record('staff_changed', { staff: staff_id, reason: 'factor' });
    return { staff_id, code };
  },
);

/** POST /internal/staff/read: the roles of a staff account as they are now. */
export const readStaffRoles = serviceEndpoint(
  staffApi.readStaffRoles,
  async ({ staff_id }, { accounts }: StaffContext) => {
    const account = await accounts.find(staff_id);
    return { roles: (account?.staff && !account.disabled && account.roles) || {} };
  },
);

/** POST /internal/staff/disable: disables a staff account and signs it out everywhere, or enables it. */
export const disableStaff = serviceEndpoint(
  staffApi.disableStaff,
  async ({ username, disabled }, context: StaffContext) => {
    const { accounts, security } = context;
    const staff_id = await staffIdOf(username, context);
    await audited(staffApi.disableStaff, staff_id, context);
    await accounts.setDisabled(staff_id, disabled);
    if (disabled) await signOutEverywhere(staff_id, context);
    security.record('staff_changed', { staff: staff_id, reason: disabled ? 'disabled' : 'enabled' });
    return { staff_id };
  },
);
