import type { Clock } from '@covalence/runtime/clock';
import type { Subscription } from '../stores/subscription-store.ts';
import { canPurchase, isManagedByStore, type Membership } from '../memberships/membership.ts';
import type { Stores } from './stores.ts';

/**
 * Whether a member can buy now. A running subscription at a store on the web is renewed and changed there,
 * and one that still tries to charge is ended there first, so that no day is paid twice.
 */
export function canBuy(
  membership: Membership | undefined,
  subscribed: readonly Subscription[],
  { stores, clock }: { readonly stores: Stores; readonly clock: Clock },
): boolean {
  if (!canPurchase(membership, clock())) return false;
  const isOfWeb = (name = '') => stores.find(name)?.web !== undefined;
  if (subscribed.some(({ store, phase, autorenew }) => isOfWeb(store) && phase !== 'ended' && autorenew))
    return false;
  return !(membership && isManagedByStore(membership) && isOfWeb(membership.source?.provider));
}
