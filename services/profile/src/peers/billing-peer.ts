import { switchRenewal } from '@covalence/contract/internal/billing-api';
import { createPeer } from '@covalence/http/peer';
import type { z } from 'zod';

/** What profile asks of the billing service. */
export interface BillingPeer {
  switchRenewal(input: z.input<typeof switchRenewal.input>): Promise<z.output<typeof switchRenewal.output>>;
}

/** Creates the client of the billing service. */
export function createBillingPeer(options: { url: string; secret: string }): BillingPeer {
  const peer = createPeer(options);
  return {
    switchRenewal: (input) => peer.call('/internal/memberships/renewal', input, switchRenewal.output),
  };
}
