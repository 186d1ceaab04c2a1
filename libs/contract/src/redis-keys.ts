/** Keys that more than one service reads or writes, by namespace. Keys of one service only stay in that service. */
export const redisKeys = {
  /**
   * Why tokens of a member are refused, as `admission-flag.ts` writes and reads it: deactivated, or ended; lives as long
   * as an access token (written by profile, read by admission).
   */
  deactivated: (namespace: string, id: number): string => `${namespace}:deactivated:${id}`,
  /** Sorted set of member ids by the time of the last authenticated call in ms (written by gateway and updates). */
  seen: (namespace: string): string => `${namespace}:seen`,
  /** Sorted set of member ids by the time in ms until which an open socket counts as present (written by updates). */
  present: (namespace: string): string => `${namespace}:present`,
};

/** Seconds that an access token lives (D42), and so the deactivated flag too. */
export const accessTokenSeconds = 1_800;
