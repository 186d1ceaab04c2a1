import { memberLocale, takeMembership } from '@covalence/contract/internal/profile-api';
import { ask, createPeer, type Ask, type PeerAccess } from '@covalence/http/peer';

/** What billing asks of profile, whose records show memberships and which knows the languages of members. */
export interface ProfilePeer {
  takeMembership: Ask<typeof takeMembership>;
  memberLocale: Ask<typeof memberLocale>;
}

/** Nobody who buys waits longer for the record, nor for their own language. */
const timeoutMs = 2_000;

/** Creates the client of the profile service. */
export function createProfilePeer(access: PeerAccess): ProfilePeer {
  const peer = createPeer({ ...access, to: 'profile', timeoutMs });
  return {
    takeMembership: ask(peer, '/internal/memberships/take', takeMembership),
    memberLocale: ask(peer, '/internal/members/locale', memberLocale),
  };
}
