/** Redis keys that several services share, by namespace. */
export const redisKeys = {
  /** Flag of a member (admission-flag.ts); lives `flagSeconds`. Written by profile, read by the gateway and auth. */
  deactivated: (namespace: string, id: number | ''): string => `${namespace}:deactivated:${id}`,
  /**
   * Exists while Redis has every flag of the last `flagSeconds`, so that a missing flag admits. Written by profile, read by
   * auth.
   */
  flagsComplete: (namespace: string): string => `${namespace}:deactivated-complete`,
  /** Flag of an ended sign-in (`family`) or client; lives `endedSeconds`. Written by auth, read by the gateway. */
  ended: (namespace: string, kind: 'family' | 'client', id: string): string =>
    `${namespace}:ended:${kind}:${id}`,
  /** JSON list of the origins of public clients, whose pages may call the API. Written by auth, read by the gateway. */
  origins: (namespace: string): string => `${namespace}:origins`,
  /** Exists while a used DPoP proof could be used again. Written by gateway and updates. */
  proof: (namespace: string, id: string): string => `${namespace}:proof:${id}`,
  /** Channel of a member's open sockets. The braces put a member's keys on one slot of a cluster. */
  live: (namespace: string, member: number): string => `${namespace}:live:{${member}}`,
  /** Sorted set of member ids by the time of the last authenticated call in ms (written by gateway and updates). */
  seen: (namespace: string): string => `${namespace}:seen`,
  /** Sorted set of member ids by the time in ms until which an open socket counts as present (written by updates). */
  present: (namespace: string): string => `${namespace}:present`,
};

/** Seconds for which an authenticated call counts as being online. */
export const onlineSeconds = 5 * 60;

/** Lifetime of an access token in seconds. */
export const accessTokenSeconds = 1_800;

/** Lifetime of an `ended` flag in seconds, with a margin for a token that was being issued. */
export const endedSeconds = accessTokenSeconds + 60;

/** Seconds for which a member without flag is not looked up again. */
export const memberCheckSeconds = 24 * 60 * 60;

/** Lifetime of a member's flag in seconds: longer than anything relies on its absence. */
export const flagSeconds = memberCheckSeconds + 60 * 60;
