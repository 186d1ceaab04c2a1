/** Keys that more than one service reads or writes, by namespace. Keys of one service only stay in that service. */
export const redisKeys = {
  /**
   * Why tokens of a member are refused, as `admission-flag.ts` writes and reads it: deactivated, or ended (written by
   * profile, read by admission and by auth before a refresh). Lives `flagSeconds`.
   */
  deactivated: (namespace: string, id: number | ''): string => `${namespace}:deactivated:${id}`,
  /**
   * There while every flag of the last `flagSeconds` is in Redis, so that a missing one means something; gone with the
   * memory of Redis, and when profile does not keep it up (written by profile, read by auth).
   */
  flagsComplete: (namespace: string): string => `${namespace}:deactivated-complete`,
  /**
   * That the access tokens of a sign-in (`family`) or of a client application are over before their time; lives
   * `endedSeconds` (written by auth, read by admission).
   */
  ended: (namespace: string, kind: 'family' | 'client', id: string): string =>
    `${namespace}:ended:${kind}:${id}`,
  /** Channel of a member's open sockets (published to by updates and auth). The braces keep a member on one slot of a cluster. */
  live: (namespace: string, member: number): string => `${namespace}:live:{${member}}`,
  /** Sorted set of member ids by the time of the last authenticated call in ms (written by gateway and updates). */
  seen: (namespace: string): string => `${namespace}:seen`,
  /** Sorted set of member ids by the time in ms until which an open socket counts as present (written by updates). */
  present: (namespace: string): string => `${namespace}:present`,
};

/** Seconds for which an authenticated call counts as being online. */
export const onlineSeconds = 5 * 60;

/** Seconds that an access token lives. */
export const accessTokenSeconds = 1_800;

/** Seconds that an ended sign-in or client is remembered: a token that was being issued at the time included. */
export const endedSeconds = accessTokenSeconds + 60;

/** Seconds for which an admitted member is not looked up again while no flag says otherwise. */
export const standingSeconds = 24 * 60 * 60;

/** Seconds that a member's flag lives: longer than anybody relies on its absence. */
export const flagSeconds = standingSeconds + 60 * 60;
