import * as contract from '@covalence/contract/internal/profile-api';
import { ask, createPeer, type Ask, type PeerAccess } from '@covalence/http/peer';

/** What this service asks of profile, which keeps devices with the member and knows who hears of whom. */
export interface ProfilePeer {
  addPushDevice: Ask<typeof contract.addPushDevice>;
  removePushDevices: Ask<typeof contract.removePushDevices>;
  presenceHearers: Ask<typeof contract.presenceHearers>;
  pushTargets: Ask<typeof contract.pushTargets>;
}

/** Creates the client of the profile service. */
export function createProfilePeer(access: PeerAccess): ProfilePeer {
  const peer = createPeer({ ...access, to: 'profile' });
  return {
    addPushDevice: ask(peer, '/internal/push/add', contract.addPushDevice),
    removePushDevices: ask(peer, '/internal/push/remove', contract.removePushDevices),
    presenceHearers: ask(peer, '/internal/presence/hearers', contract.presenceHearers),
    pushTargets: ask(peer, '/internal/push/targets', contract.pushTargets),
  };
}
