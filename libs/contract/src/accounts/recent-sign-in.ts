/**
 * Age in seconds up to which a sign-in is recent. What an older one may not do: export and delete data, end other sign-ins, change how
 * the account is signed in to. A stolen token or an open phone alone is not enough for it.
 */
export const recentSignInSeconds = 600;
