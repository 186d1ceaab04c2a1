import { z } from 'zod';
import { rolesBySite } from '../accounts/staff-roles.ts';
import type { Exchange } from './exchange.ts';

/**
 * Finds accounts of some sites: by a username, exactly and then by its beginning, by an email address that an account has or is about
 * to get, or by the id of a sign-in. Pending accounts are among them.
 */
export const findAccounts = {
  path: '/internal/accounts/find',
  callers: ['profile'],
  input: z.object({
    by: z.enum(['username', 'email', 'sign_in']),
    value: z.string().max(2_048),
    siteids: z.array(z.int().positive()).max(1_000),
    limit: z.int().positive().max(100),
  }),
  output: z.object({ member_ids: z.array(z.string()) }),
} as const satisfies Exchange;

/** A call of staff in the audit log. */
export const auditEntry = z.object({
  /** UUID of the staff account. */
  staff: z.uuid(),
  /** Method and path of the endpoint. */
  call: z.string().min(1).max(200),
  /** Ids of what the call is about: up to two for each entry of a page, or one for each dead letter of all queues. */
  about: z.array(z.string().max(100)).max(1_000).readonly(),
  /** Of a refusal or failure, or of a call that waits (202); without one the call was allowed. */
  status: z
    .int()
    .max(599)
    .refine((status) => status === 202 || status >= 400)
    .optional(),
});

/** Adds a call of staff to the audit log, before it runs. */
export const recordStaffCall = {
  path: '/internal/audit',
  callers: ['profile', 'search', 'billing'],
  input: auditEntry,
  output: z.object({}),
} as const satisfies Exchange;

/** Adds a command on the servers that does what a call of staff does, before it runs. No account made it. */
export const recordCommand = {
  path: '/internal/audit/commands',
  callers: ['operator'],
  input: auditEntry.pick({ call: true, about: true }),
  output: z.object({}),
} as const satisfies Exchange;

/** Whether a password was generated for somebody: it then works for some days, and the first sign-in with it chooses another one. */
const initial = z.boolean().default(false);

/** Creates a staff account. 403 if the username is taken, the password is not allowed, or a role is for an unknown site. */
export const createStaff = {
  path: '/internal/staff/create',
  callers: ['staff-cli'],
  input: z.object({
    username: z.string().min(1).max(100),
    password: z.string(),
    initial,
    roles: rolesBySite,
  }),
  output: z.object({ staff_id: z.uuid() }),
} as const satisfies Exchange;

/** Changes the password and ends all sign-ins. 403 if it is not allowed, 404 for an unknown name. */
export const changeStaffPassword = {
  path: '/internal/staff/password',
  callers: ['staff-cli'],
  input: z.object({ username: z.string(), password: z.string(), initial }),
  output: z.object({ staff_id: z.uuid() }),
} as const satisfies Exchange;

/** Lists the staff accounts by name; at most 1,000. */
export const listStaff = {
  path: '/internal/staff/list',
  callers: ['staff-cli'],
  input: z.object({}),
  output: z.object({
    staff: z.array(
      z.object({ staff_id: z.uuid(), username: z.string(), disabled: z.boolean(), roles: rolesBySite }),
    ),
  }),
} as const satisfies Exchange;

/** Replaces the roles of a staff account and ends all its sign-ins. 403 for an unknown site, 404 for an unknown name. */
export const setStaffRoles = {
  path: '/internal/staff/roles',
  callers: ['staff-cli'],
  input: z.object({ username: z.string(), roles: rolesBySite }),
  output: z.object({ staff_id: z.uuid() }),
} as const satisfies Exchange;

/** Reads the roles of a staff account: none of an unknown or disabled one. */
export const readStaffRoles = {
  path: '/internal/staff/read',
  callers: ['profile'],
  input: z.object({ staff_id: z.uuid() }),
  output: z.object({ roles: rolesBySite }),
} as const satisfies Exchange;

/** Disables or enables a staff account. Idempotent. 404 for an unknown name. */
export const disableStaff = {
  path: '/internal/staff/disable',
  callers: ['staff-cli'],
  input: z.object({ username: z.string(), disabled: z.boolean() }),
  output: z.object({ staff_id: z.uuid() }),
} as const satisfies Exchange;

/**
 * Removes app and passkeys of a staff account and ends all its sign-ins. Beside the password, the code leads to a new second factor.
 * 404 for an unknown name.
 */
export const resetStaffFactor = {
  path: '/internal/staff/factor/reset',
  callers: ['staff-cli'],
  input: z.object({ username: z.string() }),
  output: z.object({ staff_id: z.uuid(), code: z.string() }),
} as const satisfies Exchange;

/** Issues a short-lived access token of a staff account, without refresh token. 404 for an unknown or disabled account. */
export const issueStaffToken = {
  path: '/internal/staff/token',
  callers: ['staff-cli'],
  input: z.object({ username: z.string() }),
  output: z.object({ access_token: z.string() }),
} as const satisfies Exchange;
