/** The `typ` of a token that a service shows another, so that no token of a member passes for one. */
export const tokenType = 'service+jwt';

/** How long such a token is good, seconds. */
export const tokenLifetimeSeconds = 60;
