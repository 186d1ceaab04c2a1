import type { BanVersion, Member, Suspicion } from './member.ts';

/** The suspicion of a photo after adding the ban list entries it matches; empty without entries. */
export function suspicionOf(entries: readonly string[], { ban_matches = [] }: Suspicion = {}): Suspicion {
  if (!entries.length) return {};
  return { suspected: true, ban_matches: [...new Set([...ban_matches, ...entries])] };
}

type Matched = Partial<Pick<Member, 'suspected' | 'ban_matches' | 'matched_by' | 'cleared_bans'>>;

/** Kinds of what the ban list matched of a member. */
export const matchedBy = ({ suspected, matched_by = [] }: Matched) => (suspected ? matched_by : []);

/** Names an entry until it is renewed. */
const keyOf = ({ id, expires_at }: BanVersion) => `${id} ${expires_at.getTime()}`;

/** The suspicion of a member after adding the entries that the address or a device matches, without those that staff cleared the member of; undefined without any. */
export function memberSuspicionOf(
  kind: 'email' | 'device',
  entries: readonly BanVersion[],
  current: Matched = {},
) {
  const { cleared_bans: cleared = [] } = current;
  const matches = entries.filter((entry) => !cleared.includes(keyOf(entry))).map(({ id }) => id);
  if (!matches.length) return undefined;
  return { ...suspicionOf(matches, current), matched_by: [...new Set([...matchedBy(current), kind])] };
}

/** The patch that clears a member of entries that match. */
export const clearedOf = ({ cleared_bans: cleared = [] }: Matched, entries: readonly BanVersion[]) =>
  entries.length ? { cleared_bans: [...new Set([...cleared, ...entries.map(keyOf)])] } : {};
