import { unavailable } from '@covalence/contract/failure';
import type { Store } from '../stores/store.ts';
import { syncSubscription, type SyncContext } from './sync-subscription.ts';

/**
 * Closes the page on which a member can pay, where that is asked for. Renewal of a subscription that was just paid on it is switched
 * off after a cancellation, and after a purchase in an app if that still renews. Throws if the store is unavailable or a payment is in
 * progress; the job of the customers then repeats it.
 */
export async function closeCheckout(store: Store, member: number, context: SyncContext): Promise<void> {
  const { customers, subscriptions, clock } = context;
  const customer = await customers.find(store.name, member);
  if (!store.web || !customer?.closing) return;
  const page = customer.checkout && (await store.web.closeCheckout(customer.checkout.id));
  if (page?.status === 'open') throw unavailable(new Error('a payment page is in use'));
  if (page?.reference !== undefined) {
    const subscription = { store: store.name, reference: page.reference };
    const isKnown = (await subscriptions.find(subscription)) !== undefined;
    if (!isKnown) await syncSubscription(store, page.reference, context);
    if (customer.closing === 'canceled') await subscriptions.requestRenewal(subscription, false, clock());
    else await subscriptions.hasten(subscription, clock());
  }
  await customers.setClosed(customer, page?.status === 'complete');
}
