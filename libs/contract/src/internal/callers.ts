/** The services that have /internal endpoints. */
export const internalServices = ['auth', 'profile', 'search', 'billing', 'updates'] as const;

/** A service that has /internal endpoints. */
export type InternalService = (typeof internalServices)[number];

/**
 * Every credential of /internal calls: one for each service, `operator` for the tools of whoever runs the system, and
 * `staff-cli`, which alone creates staff accounts and issues their tokens. No service holds the last two.
 */
export const internalCallers = [...internalServices, 'operator', 'staff-cli'] as const;

/** The holder of a credential for /internal calls. */
export type InternalCaller = (typeof internalCallers)[number];

type CallersByPath = Readonly<Record<`/internal/${string}`, readonly InternalCaller[]>>;

/** Who may call each /internal endpoint, by service and path. Everyone else is answered 403. */
export const callersOf = {
  auth: {
    '/internal/clients/verify': ['profile'],
    '/internal/clients/create': ['operator'],
    '/internal/clients/list': ['operator'],
    '/internal/clients/redirects': ['operator'],
    '/internal/clients/settings': ['operator'],
    '/internal/clients/secret': ['operator'],
    '/internal/clients/retire-secret': ['operator'],
    '/internal/clients/disable': ['operator'],
    '/internal/staff/create': ['staff-cli'],
    '/internal/staff/list': ['staff-cli'],
    '/internal/staff/password': ['staff-cli'],
    '/internal/staff/disable': ['staff-cli'],
    '/internal/staff/token': ['staff-cli'],
    '/internal/accounts/check': ['profile'],
    '/internal/accounts/reserve': ['profile'],
    '/internal/accounts/confirm': ['profile'],
    '/internal/accounts/claim-username': ['profile'],
    '/internal/accounts/apply-username': ['profile'],
    '/internal/accounts/change-email': ['profile'],
    '/internal/accounts/emails': ['profile'],
    '/internal/accounts/notify-deletion': ['profile'],
    '/internal/accounts/import': ['profile'],
    '/internal/accounts/import/confirm': ['profile'],
    '/internal/members/export': ['profile'],
    '/internal/members/erase': ['profile'],
    '/internal/codes': ['profile'],
    '/internal/sessions/end': ['profile'],
    '/internal/keys/list': ['operator'],
    '/internal/keys/rotate': ['operator'],
  },
  profile: {
    '/internal/members/state': ['auth'],
    '/internal/members/locale': ['auth', 'billing'],
    '/internal/members/reactivate': ['auth'],
    '/internal/members/settle': ['auth'],
    '/internal/members/import': ['operator'],
    '/internal/memberships/take': ['billing'],
    '/internal/push/add': ['updates'],
    '/internal/push/remove': ['updates'],
    '/internal/push/targets': ['updates'],
    '/internal/presence/recipients': ['updates'],
    '/internal/records': ['search'],
    '/internal/viewers': ['search'],
    '/internal/projections': ['search'],
    '/internal/projections/export': ['search'],
  },
  search: {
    '/internal/members/export': ['profile'],
    '/internal/members/erase': ['profile'],
  },
  billing: {
    '/internal/memberships/renewal': ['profile'],
    '/internal/memberships/import': ['operator'],
    '/internal/members/export': ['profile'],
    '/internal/members/erase': ['profile'],
  },
  updates: {
    '/internal/members/export': ['profile'],
    '/internal/members/erase': ['profile'],
  },
} as const satisfies Readonly<Record<InternalService, CallersByPath>>;

/** The callers of one endpoint; undefined for a path that the table does not name. */
export function callersAt(service: InternalService, path: string): readonly InternalCaller[] | undefined {
  const paths: Readonly<Record<string, readonly InternalCaller[]>> = callersOf[service];
  return Object.hasOwn(paths, path) ? paths[path] : undefined;
}
