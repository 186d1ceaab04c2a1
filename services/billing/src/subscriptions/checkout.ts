import { Failure, forbidden, invalidArgument } from '@covalence/contract/failure';
import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { isRecentSignIn } from '@covalence/http/bearer';
import type { Caller } from '@covalence/http/endpoint';
import { isDeepStrictEqual } from 'node:util';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import type { SubscriptionsContext } from './subscriptions.ts';
import { isActive, type Membership } from '../memberships/membership.ts';
import { forgetMember } from '../memberships/settle-payment.ts';
import { canBuy } from './can-buy.ts';
import { checkPrice, type ShownPrice } from '../prices/check-price.ts';
import type { Offer } from '../prices/offers.ts';
import type { Customer, StartedCheckout } from '../stores/customer-store.ts';
import type { Checkout, Store, StoreState, WebShop } from '../stores/store.ts';
import { boughtOf, consumeReceipt, type Bought } from './buy-at-store.ts';
import { closeCheckout } from './close-checkout.ts';
import { syncSubscription } from './sync-subscription.ts';

/** A first payment can be put off by no less, ms. */
const shortestDelayMs = 48 * 3_600_000 + 300_000;

/** Refuses addresses that are not of the pages of the caller's client: a payment page must not lead to a stranger's. */
export async function checkReturns(
  urls: readonly string[],
  { clientId }: Caller,
  { auth }: SubscriptionsContext,
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
  { customers }: SubscriptionsContext,
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

/** Throws 403 for a member who was erased since `account` was read, and erases again what was written meanwhile. */
async function refuseErased(member: number, account: string, context: SubscriptionsContext): Promise<void> {
  if ((await context.accountTokens.find(member)) === account) return;
  await forgetMember(member, context);
  throw forbidden();
}

/** The membership of a member who may buy now. Throws 403 for any other. */
async function membershipOfBuyer(
  member: number,
  context: SubscriptionsContext,
): Promise<Membership | undefined> {
  const subscribed = await context.subscriptions.findOf([member]);
  if (subscribed.some(({ phase }) => phase === 'pending')) throw new Failure(403, 'Payment Pending');
  const membership = await context.memberships.find(member);
  if (!canBuy(membership, subscribed, context)) throw new Failure(403, 'Purchase Not Possible');
  return membership;
}

/** The state of a subscription that was paid on a page, if it is one to `product` and goes on. */
async function boughtOn(
  { reference }: Checkout,
  product: string,
  store: Store,
  context: SubscriptionsContext,
): Promise<StoreState | undefined> {
  if (reference === undefined) return undefined;
  const synced = await syncSubscription(store, reference, context);
  if (synced.outcome !== 'followed' || synced.state.product !== product) return undefined;
  const { phase, autorenew } = synced.state;
  const goesOn = phase === 'pending' || (autorenew && (phase === 'running' || phase === 'postponed'));
  return goesOn ? synced.state : undefined;
}

/**
 * Whether the store has an address or card of a customer, which its page shows to anyone who opens it. Nothing is stored of a card that was
 * declined on a page.
 */
const hasDetails = async (
  { has_details, member }: Customer,
  page: Checkout | undefined,
  { name }: Store,
  { ledger }: SubscriptionsContext,
): Promise<boolean> =>
  has_details === true ||
  page?.status === 'complete' ||
  (await ledger.of(member)).some(({ provider }) => provider === name);

/** Closes an open page for another order. False if it may have been paid meanwhile; throws 403 while it is in use. */
async function isReplaceable(page: Checkout, web: WebShop): Promise<boolean> {
  const closed = await web.closeCheckout(page.id);
  if (closed?.status === 'open') throw new Failure(403, 'Payment Pending');
  return closed?.status === 'expired';
}

/**
 * Sends a member to a page of the store, or resolves with what was bought on it. A member has one such page at a time, so nobody pays
 * twice. Throws 403 for an incomplete order, another price than the one shown, and a member who may not buy now.
 */
export async function buyOnWeb(
  store: Store,
  web: WebShop,
  { promo_code, success_url, cancel_url, offer, ...shown }: WebPurchase,
  caller: Caller,
  context: SubscriptionsContext,
): Promise<Bought> {
  const { customers, accountTokens, clock } = context;
  const { amount, currency, pack, product: sold } = offer;
  if (!success_url || !cancel_url || promo_code !== undefined || !sold) throw invalidArgument();
  const product = sold.product_id;
  const order = { product, amount, currency, success_url, cancel_url };
  const member = caller.id;
  await consumeReceipt(caller, context);
  await checkReturns([success_url, cancel_url], caller, context);
  const account = await accountTokens.of(member);
  const pageOf = (page: Checkout): Bought => ({
    isPending: true,
    amount: page.amount,
    currency: page.currency,
    days: pack.days,
    checkout_url: page.url,
  });

  let lost: string | undefined;
  return retryOnConflict('checkouts', async () => {
    await refuseErased(member, account, context);
    const customer = await customerOf(store, web, { id: member, account }, lost, context);
    if (customer === conflict) return conflict;
    if (customer.closing) {
      await closeCheckout(store, member, context);
      return conflict;
    }
    const { checkout } = customer;
    const page = checkout && (await web.checkout(checkout.id));
    const bought = page && (await boughtOn(page, product, store, context));
    if (bought) return boughtOf(bought, sold, offer);
    checkPrice(shown, offer);
    const begins = beginOf(await membershipOfBuyer(member, context), clock());
    const isKnown = await hasDetails(customer, page, store, context);
    const isShown = isKnown && isRecentSignIn(caller, recentSignInSeconds);
    const wanted = {
      ...order,
      ...(begins && { begins }),
      ...(isShown && { shows_customer: true as const }),
    };

    if (checkout && page?.status === 'open') {
      if (isSame(checkout, wanted)) return pageOf(page);
      if (!(await isReplaceable(page, web))) return conflict;
    }
    const started = await web.startCheckout({
      ...((isShown || !isKnown) && { customer: customer.id }),
      account,
      ...wanted,
      days: pack.days,
      offer: sold.offer_id,
    });
    if (!started) {
      await customers.drop(customer.id);
      lost = customer.id;
      return conflict;
    }
    if (!(await customers.setCheckout(customer, { id: started.id, ...wanted }, isKnown))) {
      await web.closeCheckout(started.id);
      return conflict;
    }
    await refuseErased(member, account, context);
    // The member may have bought in an app meanwhile.
    await membershipOfBuyer(member, context).catch(async (refusal: unknown) => {
      await customers.setClosing(member, 'bought');
      await closeCheckout(store, member, context);
      throw refusal;
    });
    return pageOf(started);
  });
}
