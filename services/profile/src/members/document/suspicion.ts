import type { Suspicion } from './member.ts';

/** The suspicion of a member or photo after adding the ban list entries it matches; empty without entries. */
export function suspicionOf(entries: readonly string[], { ban_matches = [] }: Suspicion = {}): Suspicion {
  if (!entries.length) return {};
  return { suspected: true, ban_matches: [...new Set([...ban_matches, ...entries])] };
}
