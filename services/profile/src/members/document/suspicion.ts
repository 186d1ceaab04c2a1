import type { Suspicion } from './member.ts';

/** What entries of the ban list that match a member or photo set there; nothing without entries. */
export function suspicionOf(entries: readonly string[], { ban_matches = [] }: Suspicion = {}): Suspicion {
  if (!entries.length) return {};
  return { suspected: true, ban_matches: [...new Set([...ban_matches, ...entries])] };
}
