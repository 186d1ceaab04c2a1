import { claimOf } from '@covalence/client/tokens';

/** A role of staff; `admin` includes every other one. */
export type Role = 'moderator' | 'support' | 'search' | 'operator' | 'admin';

/** The roles of an access token on any site. The services decide by site; these only shape the menu. */
export function rolesOf(accessToken: string): ReadonlySet<string> {
  const bySite = claimOf(accessToken, 'roles');
  return new Set(Object.values(bySite ?? {}).flat() as string[]);
}

/** Whether one of the wanted roles is held. */
export const holds = (held: ReadonlySet<string>, wanted: readonly Role[]): boolean =>
  held.has('admin') || wanted.some((role) => held.has(role));
