import { switchRenewal } from '@covalence/contract/internal/billing-api';
import { ask, createPeer, type Ask } from '@covalence/http/peer';

/** What profile asks of the billing service. */
export interface BillingPeer {
  switchRenewal: Ask<typeof switchRenewal>;
}

/** Creates the client of the billing service. */
export function createBillingPeer(options: { url: string; secret: string }): BillingPeer {
  return { switchRenewal: ask(createPeer(options), '/internal/memberships/renewal', switchRenewal) };
}
