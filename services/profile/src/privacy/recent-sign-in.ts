/** Seconds since the sign-in within which a member may take everything along or delete the profile: a stolen token alone is not enough. */
export const recentSignInSeconds = 600;
