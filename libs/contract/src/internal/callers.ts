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
