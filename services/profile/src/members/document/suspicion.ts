import type { Member, Suspicion } from './member.ts';

/** The suspicion of a photo after adding the ban list entries it matches; empty without entries. */
export function suspicionOf(entries: readonly string[], { ban_matches = [] }: Suspicion = {}): Suspicion {
  if (!entries.length) return {};
  return { suspected: true, ban_matches: [...new Set([...ban_matches, ...entries])] };
}

type Matched = Partial<Pick<Member, 'suspected' | 'ban_matches' | 'matched_by' | 'cleared_bans'>>;

/** Kinds of what the ban list matched of a member. */
export const matchedBy = ({ suspected, matched_by = [] }: Matched) => (suspected ? matched_by : []);

/** The suspicion of a member after adding the entries that the address or a device matches, without those that staff cleared the member of; undefined without any. */
export function memberSuspicionOf(
  kind: 'email' | 'device',
  entries: readonly string[],
  current: Matched = {},
) {
  const { cleared_bans: cleared = [] } = current;
  const matches = entries.filter((entry) => !cleared.includes(entry));
  if (!matches.length) return undefined;
  return { ...suspicionOf(matches, current), matched_by: [...new Set([...matchedBy(current), kind])] };
}

/** The entries that staff have cleared a member of, with those of an approval. */
export const clearedBy = ({ ban_matches, cleared_bans: cleared }: Matched) =>
  ban_matches ? [...new Set([...(cleared ?? []), ...ban_matches])] : cleared;
