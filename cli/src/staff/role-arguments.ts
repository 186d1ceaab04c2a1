import {
  everySite,
  rolesBySite,
  staffRoles,
  type RolesBySite,
  type StaffRole,
} from '@covalence/contract/staff-roles';
import { CommandError } from '@covalence/runtime/command-error';

/** Argument that takes every role away. */
const noRoles = 'none';

/** Help for arguments that are roles. */
export const roleHelp = `Roles are ${staffRoles.join(', ')}; moderator@7 counts on site 7 only.`;

const isRole = (name: string): name is StaffRole => (staffRoles as readonly string[]).includes(name);

/** The roles that arguments name: `moderator` everywhere, `moderator@7` on one site, `none`. Throws a line for a person. */
export function rolesOf(given: readonly string[]): Record<string, StaffRole[]> {
  if (given.length === 1 && given[0] === noRoles) return {};
  const roles: Record<string, StaffRole[]> = {};
  for (const one of new Set(given)) {
    const [role = '', site = everySite, ...rest] = one.split('@');
    const isSite = site === everySite || /^[1-9]\d{0,8}$/.test(site);
    if (!isRole(role) || !isSite || rest.length) throw new CommandError(`${one} is no role. ${roleHelp}`);
    roles[site] = [...(roles[site] ?? []), role];
  }
  if (!rolesBySite.safeParse(roles).success)
    throw new CommandError('These are roles on too many sites: give them without @ for every site.');
  return roles;
}

/** The same roles as arguments. */
export const roleArguments = (roles: RolesBySite): string =>
  Object.entries(roles)
    .flatMap(([site, names]) => names.map((name) => (site === everySite ? name : `${name}@${site}`)))
    .join(' ') || noRoles;
