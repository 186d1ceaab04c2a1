import { invalidArgument } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';
import type { App, Offer } from '../prices/offers.ts';
import { followSubscription } from './follow-subscription.ts';
import type { Store, StoreState } from '../stores/store.ts';

/**
 * Takes a receipt of a store for its member: the subscription that it names is the member's from then on. Resolves with the store's
 * present state of it. A receipt that is not genuine, of another app or product, or another member's is 403 without code; 503 if
 * the store is unavailable.
 */
export async function takeReceipt(
  store: Store,
  { receipt, app_id }: { readonly receipt: string; readonly app_id: string | undefined },
  caller: Caller,
  context: BillingContext,
  isWanted: (read: { readonly app: string; readonly product: string }) => boolean,
): Promise<StoreState> {
  const read = await store.read(receipt, app_id);
  if (!read || !isWanted(read)) throw invalidArgument();
  const followed = await followSubscription(store, read.reference, context, caller.id);
  if (followed.outcome === 'followed') return followed.state;
  context.logger.info({ store: store.name, outcome: followed.outcome }, 'receipt refused');
  throw invalidArgument();
}

/** What a purchase at a store costs and lasts, for its answer. */
export interface Bought {
  readonly isPending: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly days: number;
}

/** Takes the receipt of an offer that was bought at a store, whose price stands: promo codes are the store's. */
export async function buyAtStore(
  store: Store,
  {
    receipt,
    promo_code,
    app,
    offer,
  }: {
    readonly receipt?: string | undefined;
    readonly promo_code?: string | undefined;
    readonly app?: App | undefined;
    readonly offer: Offer;
  },
  caller: Caller,
  context: BillingContext,
): Promise<Bought> {
  if (receipt === undefined || promo_code !== undefined || !offer.product) throw invalidArgument();
  const { product_id } = offer.product;
  const state = await takeReceipt(
    store,
    { receipt, app_id: app?.app_id },
    caller,
    context,
    ({ product }) => product === product_id,
  );
  const charge = state.charges.findLast(({ product }) => product === product_id) ?? state.charges.at(-1);
  return {
    isPending: state.phase === 'pending',
    amount: charge?.amount ?? 0,
    currency: charge?.currency ?? state.currency,
    days: offer.pack.days,
  };
}
