/** The services that have /internal endpoints. */
export const internalServices = ['auth', 'profile', 'search', 'billing', 'updates'] as const;

/** A service that has /internal endpoints. */
export type InternalService = (typeof internalServices)[number];

/**
 * The holders of credentials for /internal calls: each service, `operator` for the command line, and `staff-cli`, which alone
 * creates staff accounts and issues their tokens.
 */
export const internalCallers = [...internalServices, 'operator', 'staff-cli'] as const;

/** The holder of a credential for /internal calls. */
export type InternalCaller = (typeof internalCallers)[number];
