/**
 * Age in seconds up to which a sign-in is recent. An older one must not export and delete data, end other
 * sign-ins, or change how the account is signed in to. A stolen token or an open phone alone is not enough
 * for these.
 */
export const recentSignInSeconds = 600;
