import { memberLocale, takeMembership } from '@covalence/contract/internal/profile-api';
import { createPeer } from '@covalence/http/peer';
import type { z } from 'zod';

/** What billing asks of profile, whose records show memberships and which knows the languages of members. */
export interface ProfilePeer {
  takeMembership(
    input: z.input<typeof takeMembership.input>,
  ): Promise<z.output<typeof takeMembership.output>>;
  memberLocale(input: z.input<typeof memberLocale.input>): Promise<z.output<typeof memberLocale.output>>;
}

/** Nobody who buys waits longer for the record, nor for their own language. */
const timeoutMs = 2_000;

/** Creates the client of the profile service. */
export function createProfilePeer(options: { url: string; secret: string }): ProfilePeer {
  const peer = createPeer({ ...options, timeoutMs });
  return {
    takeMembership: (input) => peer.call('/internal/memberships/take', input, takeMembership.output),
    memberLocale: (input) => peer.call('/internal/members/locale', input, memberLocale.output),
  };
}
