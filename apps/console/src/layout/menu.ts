import type { Person } from '../session/person.ts';
import { holds, type Role } from '../session/roles.ts';

/** The menu: sections and their pages, with the roles that see each. A feature folder has the name of its section. */
export const menu = [
  {
    section: 'service',
    entries: [
      { to: '/service/queue', label: 'service.queue', roles: ['moderator'] },
      { to: '/service/reports', label: 'service.reports', roles: ['moderator'] },
      { to: '/service/appeals', label: 'service.appeals', roles: ['moderator'] },
      { to: '/service/find', label: 'service.find', roles: ['moderator', 'support'] },
      { to: '/service/bans', label: 'service.bans', roles: ['moderator'] },
      { to: '/service/scams', label: 'service.scams', roles: ['moderator'] },
      { to: '/service/approvals', label: 'service.approvals', roles: ['moderator', 'support'] },
    ],
  },
  {
    section: 'search',
    entries: [
      { to: '/search/settings', label: 'search.settings', roles: ['search'], onEverySite: true },
      { to: '/search/synonyms', label: 'search.synonyms', roles: ['search'], onEverySite: true },
      { to: '/search/compare', label: 'search.compare', roles: ['search'], onEverySite: true },
      { to: '/search/experiments', label: 'experiments', roles: ['search'], onEverySite: true },
      { to: '/search/usage', label: 'usage', roles: ['search'], onEverySite: true },
      { to: '/search/judgments', label: 'judgments', roles: ['search'] },
    ],
  },
  {
    section: 'operators',
    entries: [
      { to: '/operators/status', label: 'operations.status', roles: ['operator'], onEverySite: true },
      { to: '/operators/letters', label: 'operations.letters', roles: ['operator'], onEverySite: true },
      { to: '/operators/runbooks', label: 'operations.runbooks', roles: ['operator'], onEverySite: true },
      { to: '/operators/audit', label: 'operators.audit', roles: ['operator'], onEverySite: true },
      { to: '/operators/transparency', label: 'transparency', roles: ['moderator', 'operator'] },
    ],
  },
] as const satisfies readonly {
  readonly section: string;
  readonly entries: readonly {
    readonly to: `/${string}`;
    readonly label: string;
    readonly roles: readonly Role[];
    /** Its calls need the role on every site. */
    readonly onEverySite?: true;
  }[];
}[];

/** A page of the menu. */
export type MenuEntry = (typeof menu)[number]['entries'][number];

/** Whether a page is of use to a person. */
export const mayOpen = (entry: MenuEntry, { roles, holdsOn }: Person): boolean =>
  'onEverySite' in entry ? holdsOn('all', ...entry.roles) : holds(roles, entry.roles);
