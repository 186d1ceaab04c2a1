import * as contract from '@covalence/contract/internal/profile-api';
import { createPeer } from '@covalence/http/peer';
import type { z } from 'zod';

type Input<Exchange extends { input: z.ZodType }> = z.input<Exchange['input']>;
type Output<Exchange extends { output: z.ZodType }> = Promise<z.output<Exchange['output']>>;

/** What this service asks of profile, which keeps devices with the member and knows who hears of whom. */
export interface ProfilePeer {
  addPushDevice(input: Input<typeof contract.addPushDevice>): Output<typeof contract.addPushDevice>;
  removePushDevices(
    input: Input<typeof contract.removePushDevices>,
  ): Output<typeof contract.removePushDevices>;
  presenceHearers(input: Input<typeof contract.presenceHearers>): Output<typeof contract.presenceHearers>;
  pushTargets(input: Input<typeof contract.pushTargets>): Output<typeof contract.pushTargets>;
}

/** Creates the client of the profile service. */
export function createProfilePeer(options: { url: string; secret: string }): ProfilePeer {
  const peer = createPeer(options);
  return {
    addPushDevice: (input) => peer.call('/internal/push/add', input, contract.addPushDevice.output),
    removePushDevices: (input) =>
      peer.call('/internal/push/remove', input, contract.removePushDevices.output),
    presenceHearers: (input) =>
      peer.call('/internal/presence/hearers', input, contract.presenceHearers.output),
    pushTargets: (input) => peer.call('/internal/push/targets', input, contract.pushTargets.output),
  };
}
