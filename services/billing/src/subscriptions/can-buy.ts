import type { Clock } from '@covalence/runtime/clock';
import { canPurchase, isManagedByStore, type Membership } from '../memberships/membership.ts';
import type { Stores } from './stores.ts';

/** Whether a member can buy now. What runs at a store on the web is renewed and changed there, so that no day is paid twice. */
export function canBuy(
  membership: Membership | undefined,
  { stores, clock }: { readonly stores: Stores; readonly clock: Clock },
): boolean {
  if (!canPurchase(membership, clock())) return false;
  const isOfWeb = stores.find(membership?.source?.provider ?? '')?.web !== undefined;
  return !(membership && isManagedByStore(membership) && isOfWeb);
}
