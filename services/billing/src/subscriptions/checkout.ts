import { Failure, forbidden, invalidArgument } from '@covalence/contract/failure';
import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { isRecentSignIn } from '@covalence/http/bearer';
import type { Caller } from '@covalence/http/endpoint';
import { isDeepStrictEqual } from 'node:util';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { Context } from '../context.ts';
import { isActive, type Membership } from '../memberships/membership.ts';
import { forgetMember } from '../memberships/settle-payment.ts';
import { canBuy } from './can-buy.ts';
import { checkPrice, type ShownPrice } from '../prices/check-price.ts';
import type { Offer } from '../prices/offers.ts';
import type { Customer, StartedCheckout } from '../stores/customer-store.ts';
import type { Checkout, Store, WebShop } from '../stores/store.ts';
import { boughtOf, consumeReceipt, type Bought } from './buy-at-store.ts';
import { closeCheckout } from './close-checkout.ts';
import { followSubscription } from './follow-subscription.ts';

/** A first payment can be put off by no less, ms. */
const shortestDelayMs = 48 * 3_600_000 + 300_000;

/** Refuses addresses that are not of the pages of the caller's client: a payment page must not lead to a stranger's. */
export async function checkReturns(
  urls: readonly string[],
  { clientId }: Caller,
  { auth }: Context,
): Promise<void> {
  const { allowed } = await auth.checkReturns({ client_id: clientId, urls: [...urls] });
  if (!allowed) throw invalidArgument();
}

/** A member's order on the web. */
interface WebPurchase extends ShownPrice {
  readonly promo_code?: string | undefined;
  readonly success_url?: string | undefined;
  readonly cancel_url?: string | undefined;
  readonly offer: Offer;
}

const isSame = (one: StartedCheckout, wanted: Omit<StartedCheckout, 'id'>): boolean =>
  isDeepStrictEqual(one, { id: one.id, ...wanted });

/** The customer of a member, created at the first purchase; `lost` is one that the store no longer has. */
async function customerOf(
  { name }: Store,
  web: WebShop,
  { id: member, account }: { readonly id: number; readonly account: string },
  lost: string | undefined,
  { customers }: Context,
): Promise<Customer | typeof conflict> {
  const known = await customers.find(name, member);
  if (known) return known;
  const id = await web.createCustomer(account, lost);
  return (await customers.create(name, member, id)) ? { id, member } : conflict;
}

/** The end of what the member has already: the first payment is then, if the store can put it off that long. */
function beginOf(membership: Membership | undefined, at: Date): Date | undefined {
  if (!membership || !isActive(membership, at)) return undefined;
  return membership.expires_at.getTime() >= at.getTime() + shortestDelayMs
    ? membership.expires_at
    : undefined;
}

/** Sends a member to a page of the store, or says what came of it. A member has one such page at a time, so nobody pays twice. */
export async function buyOnWeb(
  store: Store,
  web: WebShop,
  { promo_code, success_url, cancel_url, offer, ...shown }: WebPurchase,
  caller: Caller,
  context: Context,
): Promise<Bought> {
  const { customers, accountTokens, memberships, subscriptions, ledger, clock } = context;
  if (!success_url || !cancel_url || promo_code !== undefined || !offer.product) throw invalidArgument();
  const { product: sold } = offer;
  const { product_id: product, offer_id } = sold;
  const { amount, currency, pack } = offer;
  await consumeReceipt(caller, context);
  await checkReturns([success_url, cancel_url], caller, context);
  const pageOf = (page: Checkout): Bought => ({
    isPending: true,
    amount: page.amount,
    currency: page.currency,
    days: pack.days,
    checkout_url: page.url,
  });
  const account = await accountTokens.of(caller.id);
  /** The member may have been erased since the token was read. */
  const refuseErased = async (): Promise<void> => {
    if ((await accountTokens.find(caller.id)) === account) return;
    await forgetMember(caller.id, context);
    throw forbidden();
  };

  const refuseUnlessPossible = async (): Promise<Membership | undefined> => {
    const subscribed = await subscriptions.findOf([caller.id]);
    if (subscribed.some(({ phase }) => phase === 'pending')) throw new Failure(403, 'Payment Pending');
    const membership = await memberships.find(caller.id);
    if (!canBuy(membership, subscribed, context)) throw new Failure(403, 'Purchase Not Possible');
    return membership;
  };

  let lost: string | undefined;
  return retryOnConflict('checkouts', async () => {
    await refuseErased();
    const customer = await customerOf(store, web, { id: caller.id, account }, lost, context);
    if (customer === conflict) return conflict;
    if (customer.closing) {
      await closeCheckout(store, caller.id, context);
      return conflict;
    }
    const { checkout } = customer;
    const page = checkout && (await web.checkout(checkout.id));
    if (page?.reference !== undefined) {
      const followed = await followSubscription(store, page.reference, context);
      const state = followed.outcome === 'followed' ? followed.state : undefined;
      const phase = state?.phase;
      const isBought =
        phase === 'pending' || (state?.autorenew && (phase === 'running' || phase === 'postponed'));
      if (state && isBought && state.product === product) return boughtOf(state, sold, offer);
    }
    checkPrice(shown, offer);
    const begins = beginOf(await refuseUnlessPossible(), clock());
    // The page shows a buyer's address and cards to whoever opens it. Nothing is stored of a card that was declined on it.
    const hasDetails =
      customer.has_details === true ||
      page?.status === 'complete' ||
      (await ledger.of(caller.id)).some(({ provider }) => provider === store.name);
    const isShown = hasDetails && isRecentSignIn(caller, recentSignInSeconds);
    const wanted = {
      product,
      amount,
      currency,
      success_url,
      cancel_url,
      ...(begins && { begins }),
      ...(isShown && { shows_customer: true as const }),
    };

    if (checkout && page?.status === 'open') {
      if (isSame(checkout, wanted)) return pageOf(page);
      const closed = await web.closeCheckout(page.id);
      if (closed?.status === 'open') throw new Failure(403, 'Payment Pending');
      // It may have been paid in between.
      if (closed?.status !== 'expired') return conflict;
    }
    const started = await web.startCheckout({
      ...((isShown || !hasDetails) && { customer: customer.id }),
      account,
      ...wanted,
      days: pack.days,
      offer: offer_id,
    });
    if (!started) {
      await customers.drop(customer.id);
      lost = customer.id;
      return conflict;
    }
    if (!(await customers.setCheckout(customer, { id: started.id, ...wanted }, hasDetails))) {
      await web.closeCheckout(started.id);
      return conflict;
    }
    await refuseErased();
    // The member may have bought in an app meanwhile.
    await refuseUnlessPossible().catch(async (refusal: unknown) => {
      await customers.setClosing(caller.id, 'bought');
      await closeCheckout(store, caller.id, context);
      throw refusal;
    });
    return pageOf(started);
  });
}
