import type { Suspicion } from './member.ts';

/** The suspicion of a member or photo after adding the ban list entries it matches; empty without entries. */
export function suspicionOf(entries: readonly string[], { ban_matches = [] }: Suspicion = {}): Suspicion {
  if (!entries.length) return {};
  return { suspected: true, ban_matches: [...new Set([...ban_matches, ...entries])] };
}

/** Whether one of some entries of the ban list matched. */
export const isMatchedBy = (entries: ReadonlySet<string>, { ban_matches = [] }: Suspicion): boolean =>
  ban_matches.some((entry) => entries.has(entry));

/** The suspicion after removing entries; empty where no other entry matched. */
export const suspicionWithout = (entries: ReadonlySet<string>, { ban_matches = [] }: Suspicion): Suspicion =>
  suspicionOf(ban_matches.filter((entry) => !entries.has(entry)));
