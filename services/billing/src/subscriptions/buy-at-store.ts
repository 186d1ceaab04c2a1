import { Failure, invalidArgument, tooManyRequests } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { SubscriptionsContext } from './subscriptions.ts';
import type { App, Offer } from '../prices/offers.ts';
import { isProduct, type InAppProduct } from '../prices/package-data.ts';
import type { Store, StoreState } from '../stores/store.ts';
import { syncSubscription } from './sync-subscription.ts';

/** Counts a call that asks a store for a member: 429 after 60 within an hour. */
export async function consumeReceipt({ id }: Caller, { receiptLimit }: SubscriptionsContext): Promise<void> {
  await receiptLimit.consume(id).catch((refusal: unknown) => {
    throw refusal instanceof RateLimiterRes
      ? tooManyRequests(Math.ceil(refusal.msBeforeNext / 1_000))
      : refusal;
  });
}

/**
 * Takes a receipt of a store for its member: the subscription that it names is the member's from then on. Resolves with the store's
 * present state of it. A receipt that is not genuine, not wanted or another member's is 403 without code; 429 after 60 within an
 * hour; 503 if the store is unavailable.
 */
export async function takeReceipt(
  store: Store,
  { receipt, app_id }: { readonly receipt: string; readonly app_id: string | undefined },
  caller: Caller,
  context: SubscriptionsContext,
  isWanted: (state: StoreState) => boolean = () => true,
): Promise<StoreState> {
  await consumeReceipt(caller, context);
  const reference = await store.read?.(receipt, app_id);
  if (reference === undefined) throw invalidArgument();
  const synced = await syncSubscription(store, reference, context, {
    claim: { member: caller.id, isWanted },
  });
  if (synced.outcome === 'followed') return synced.state;
  context.logger.info({ store: store.name, outcome: synced.outcome }, 'receipt refused');
  throw invalidArgument();
}

/** Price and duration of a purchase, for the response. */
export interface Bought {
  readonly isPending: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly days: number;
  /** The page on which it is paid. */
  readonly checkout_url?: string | undefined;
}

/** The purchase at a store, by its present state. */
export function boughtOf(
  { phase, charges, currency }: StoreState,
  wanted: InAppProduct,
  { pack }: Offer,
): Bought {
  const charge = charges.findLast(({ product }) => isProduct(wanted, product)) ?? charges.at(-1);
  return {
    isPending: phase !== 'running' && phase !== 'postponed',
    amount: charge?.amount ?? 0,
    currency: charge?.currency ?? currency,
    days: pack.days,
  };
}

/** A purchase at a store, as the app reports it. */
interface StorePurchase {
  readonly receipt?: string | undefined;
  readonly promo_code?: string | undefined;
  readonly app?: App | undefined;
  readonly offer: Offer;
}

/** Takes the receipt of an offer that was bought at a store, whose price stands: promo codes are the store's. */
export async function buyAtStore(
  store: Store,
  { receipt, promo_code, app, offer }: StorePurchase,
  caller: Caller,
  context: SubscriptionsContext,
): Promise<Bought> {
  if (receipt === undefined || promo_code !== undefined || !offer.product) throw invalidArgument();
  const { product: wanted } = offer;
  const isBought = ({ product, next }: StoreState) =>
    isProduct(wanted, product) || (next !== undefined && isProduct(wanted, next));
  const state = await takeReceipt(store, { receipt, app_id: app?.app_id }, caller, context, isBought);
  if (state.phase === 'ended') throw new Failure(403, 'Purchase Not Possible');
  return boughtOf(state, wanted, offer);
}
