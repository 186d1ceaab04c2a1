import { switchRenewal } from '@covalence/contract/internal/billing-api';
import { ask, createPeer, type Ask, type PeerAccess } from '@covalence/http/peer';

/** Calls to the billing service. */
export interface BillingPeer {
  switchRenewal: Ask<typeof switchRenewal>;
}

/** Creates the client of the billing service. */
export function createBillingPeer(access: PeerAccess): BillingPeer {
  return {
    switchRenewal: ask(
      createPeer({ ...access, to: 'billing' }),
      '/internal/memberships/renewal',
      switchRenewal,
    ),
  };
}
