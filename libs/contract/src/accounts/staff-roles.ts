import { z } from 'zod';

/** Roles of staff accounts. `admin` includes every other role. */
export const staffRoles = ['moderator', 'support', 'search', 'operator', 'admin'] as const;

/** A role of a staff account. */
export type StaffRole = (typeof staffRoles)[number];

/** The key of roles that count on every site. */
export const everySite = '*';

/** Sites of one account; more would make its tokens too long for a header. */
const mostSites = 30;

/** Roles by site number, `*` for every site: of a staff account, and the claim `roles` of its tokens. */
export const rolesBySite = z
  .record(z.string().regex(/^(\*|[1-9]\d{0,8})$/), z.array(z.enum(staffRoles)).min(1).max(staffRoles.length))
  .refine((roles) => Object.keys(roles).length <= mostSites);

/** Roles by site number or `*`. A token may have roles that a later version knows. */
export type RolesBySite = Readonly<Record<string, readonly string[]>>;

/** The sites on which a staff account may make a call. */
export type StaffSites = ReadonlySet<number> | 'all';

/** The sites on which one of the roles counts. */
export function sitesWith(roles: RolesBySite, wanted: readonly StaffRole[]): StaffSites {
  const accepted: readonly string[] = [...wanted, 'admin'];
  const keys = Object.entries(roles)
    .filter(([, given]) => given.some((role) => accepted.includes(role)))
    .map(([site]) => site);
  return keys.includes(everySite) ? 'all' : new Set(keys.map(Number));
}

/** Whether a call about this site is among them. A call whose site is not known needs all of them. */
export const coversSite = (sites: StaffSites, siteid: number | undefined): boolean =>
  sites === 'all' || (siteid !== undefined && sites.has(siteid));
