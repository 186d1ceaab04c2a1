import type { Member, Suspicion } from './member.ts';

/** The suspicion of a photo after adding the ban list entries it matches; empty without entries. */
export function suspicionOf(entries: readonly string[], { ban_matches = [] }: Suspicion = {}): Suspicion {
  if (!entries.length) return {};
  return { suspected: true, ban_matches: [...new Set([...ban_matches, ...entries])] };
}

type Matched = Partial<Pick<Member, 'suspected' | 'ban_matches' | 'matched_by'>>;

/** Kinds of what the ban list matched of a member. */
export const matchedBy = ({ suspected, matched_by = [] }: Matched) => (suspected ? matched_by : []);

/** The suspicion of a member after adding the entries that the address or a device matches; empty without entries. */
export function memberSuspicionOf(
  kind: 'email' | 'device',
  entries: readonly string[],
  current: Matched = {},
) {
  if (!entries.length) return {};
  return { ...suspicionOf(entries, current), matched_by: [...new Set([...matchedBy(current), kind])] };
}
