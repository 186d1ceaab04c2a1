import * as contract from '@covalence/contract/internal/profile-api';
import { ask, createPeer, type Ask, type PeerAccess } from '@covalence/http/peer';

/** Calls to profile, which stores push devices and decides who sees whose presence. */
export interface ProfilePeer {
  addPushDevice: Ask<typeof contract.addPushDevice>;
  removePushDevices: Ask<typeof contract.removePushDevices>;
  presenceRecipients: Ask<typeof contract.presenceRecipients>;
  pushTargets: Ask<typeof contract.pushTargets>;
}

/** Creates the client of the profile service. */
export function createProfilePeer(access: PeerAccess): ProfilePeer {
  const peer = createPeer({ ...access, to: 'profile' });
  return {
    addPushDevice: ask(peer, '/internal/push/add', contract.addPushDevice),
    removePushDevices: ask(peer, '/internal/push/remove', contract.removePushDevices),
    presenceRecipients: ask(peer, '/internal/presence/recipients', contract.presenceRecipients),
    pushTargets: ask(peer, '/internal/push/targets', contract.pushTargets),
  };
}
