import { claimOf } from '@covalence/client/tokens';
import { createContext, use } from 'react';
import { holds, rolesOf, type Role } from './roles.ts';

/** The user of the console. */
export interface Person {
  /** The staff account, as decisions and claims name it. */
  readonly id: string;
  readonly roles: ReadonlySet<string>;
  /** Whether one of the roles is held on a site, or on every site. */
  readonly holdsOn: (site: number | 'all', ...wanted: Role[]) => boolean;
  readonly signOut: () => Promise<void>;
}

/** The person of an access token. */
export function personOf(accessToken: string, signOut: () => Promise<void>): Person {
  const bySite = claimOf(accessToken, 'roles') as Readonly<Record<string, readonly string[]>> | undefined;
  const on = (site: number | 'all') =>
    new Set([...(bySite?.['*'] ?? []), ...((site !== 'all' && bySite?.[site]) || [])]);
  return {
    id: String(claimOf(accessToken, 'sub')),
    roles: rolesOf(accessToken),
    holdsOn: (site, ...wanted) => holds(on(site), wanted),
    signOut,
  };
}

const PersonContext = createContext<Person | undefined>(undefined);

/** Gives the pages below the person. */
export const PersonProvider = PersonContext.Provider;

/** The user of the console. */
export function usePerson(): Person {
  const person = use(PersonContext);
  if (!person) throw new Error('there is no PersonProvider above');
  return person;
}
