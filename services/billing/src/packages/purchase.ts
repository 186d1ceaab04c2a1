import { Failure, forbidden, invalidArgument } from '@covalence/contract/failure';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SubscriptionsContext } from '../subscriptions/subscriptions.ts';
import { membershipView, viewOf } from '../memberships/membership-view.ts';
import { canBuy } from '../subscriptions/can-buy.ts';
import { showMembership } from '../memberships/show-membership.ts';
import type { Payment, PaymentProblem } from '../payments/payment-store.ts';
import { buyAtStore, type Bought } from '../subscriptions/buy-at-store.ts';
import { buyOnWeb } from '../subscriptions/checkout.ts';
import { settlePayment } from '../memberships/settle-payment.ts';
import { moneyView } from '../ledger/money.ts';
import { offersFor, type Offer } from '../prices/offers.ts';
import { checkPrice } from '../prices/check-price.ts';
import type { PromoCode } from '../prices/package-data.ts';
import { promoOutcome } from './promo-outcome.ts';
import { discountOf } from '../prices/promo.ts';
import { purchaseParameters, type Purchase } from './package-parameters.ts';
import { readerOf, type Reader } from './reader.ts';

const notPossible = () => new Failure(403, 'Purchase Not Possible');

const refusals: Record<PaymentProblem, () => Failure> = {
  declined: () => new Failure(403, 'Payment Declined'),
  promo: () => invalidArgument(),
  not_possible: notPossible,
};

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * The idempotency key of a purchase: the client's Idempotency-Key, else the receipt, else the version of the current membership. The
 * latter two include the number of failed purchases, so that a double click is one purchase and a retry after a failure a new one.
 */
async function keyOf(
  purchase: Purchase,
  { id }: Caller,
  given: string | undefined,
  context: SubscriptionsContext,
): Promise<string> {
  if (given !== undefined) return `${id}:purchase:key:${hash(given)}`;
  const failed = await context.payments.countFailed(id);
  if (purchase.receipt !== undefined) return `${id}:purchase:receipt:${hash(purchase.receipt)}:${failed}`;
  const membership = await context.memberships.find(id);
  return `${id}:purchase:auto:${membership?.version ?? 0}:${failed}`;
}

/** Checks the promo code before a payment exists, so that an invalid code does not spend the receipt. */
async function promoFor(purchase: Purchase, caller: Caller, offer: Offer, context: SubscriptionsContext) {
  const { promo_code: typed, app } = purchase;
  if (typed === undefined) return undefined;
  const outcome = await promoOutcome({ typed, app, offers: [offer], caller }, context);
  if (!outcome.valid) throw invalidArgument();
  return outcome.promo;
}

const priceOf = ({ pack, amount, currency, country }: Offer, promo: PromoCode | undefined) => ({
  amount: amount - (promo ? discountOf(promo, amount) : 0),
  currency,
  ...(country !== undefined && { country }),
  days: promo?.kind === 'free_trial' ? promo.trial_days : pack.days,
});

/** The provider was never asked, so the receipt is not stored. */
const isUncharged = ({ problem }: Payment) => problem === 'promo' || problem === 'not_possible';

/** Whether a payment is this very purchase: a key must not be reused for another one. */
const isSame = (payment: Payment, purchase: Purchase, caller: Caller): boolean =>
  payment.member === caller.id &&
  payment.package_id === purchase.package_id &&
  payment.rate_id === purchase.rate_id &&
  payment.promo_code === purchase.promo_code?.trim().toUpperCase() &&
  (isUncharged(payment) || payment.receipt_hash === (purchase.receipt && hash(purchase.receipt)));

/** The offer of a purchase; 403 if the site does not sell it in the app. */
function offerOf(
  { package_id, rate_id, app }: Purchase,
  { siteid }: Caller,
  { sites, packageData, stores }: SubscriptionsContext,
  country?: string,
): Offer {
  if (!sites.has(siteid)) throw forbidden();
  const offer = offersFor(packageData, { siteid, country }, stores.appOf(app)).find(
    ({ pack, rate }) => pack.package_id === package_id && rate.rate_id === rate_id,
  );
  if (!offer) throw invalidArgument();
  return offer;
}

/** The buyer, and what the prices depend on. */
interface Buying {
  readonly caller: Caller;
  readonly reader: Reader;
}

async function begin(
  key: string,
  purchase: Purchase,
  { caller, reader }: Buying,
  context: SubscriptionsContext,
): Promise<Payment> {
  const { receipt } = purchase;
  const offer = offerOf(purchase, caller, context, await reader.country());
  const promo = await promoFor(purchase, caller, offer, context);
  const price = priceOf(offer, promo);
  checkPrice(purchase, price);
  const at = context.clock();
  const provider = context.providers.current;
  const membership = await context.memberships.find(caller.id);
  const subscribed = await context.subscriptions.findOf([caller.id]);
  if (!provider || !canBuy(membership, subscribed, context)) throw notPossible();
  const payment = await context.payments.open({
    key,
    member: caller.id,
    kind: 'purchase',
    package_id: purchase.package_id,
    rate_id: purchase.rate_id,
    ...price,
    provider: provider.name,
    ...(promo && { promo_code: promo.code }),
    ...(receipt && { receipt, receipt_hash: hash(receipt) }),
    state: 'open',
    at,
    look_at: new Date(at.getTime() + 60_000),
  });
  if (payment === 'busy') throw new Failure(403, 'Payment Pending');
  return payment;
}

/** Finds the payment of a purchase, or begins it. */
async function paymentOf(purchase: Purchase, buying: Buying, key: string, context: SubscriptionsContext) {
  const find = () => context.payments.find(key, purchase.receipt && hash(purchase.receipt));
  const known = await find();
  if (known) return known;
  try {
    return await begin(key, purchase, buying, context);
  } catch (refusal) {
    // A concurrent request of the same purchase may have caused the refusal.
    const meanwhile = await find();
    if (meanwhile) return meanwhile;
    throw refusal;
  }
}

/** Charges a purchase at the provider that takes new purchases. */
async function charge(
  purchase: Purchase,
  buying: Buying,
  idempotencyKey: string | undefined,
  context: SubscriptionsContext,
): Promise<Bought> {
  const { caller } = buying;
  const key = await keyOf(purchase, caller, idempotencyKey, context);
  const payment = await paymentOf(purchase, buying, key, context);
  if (!isSame(payment, purchase, caller)) throw invalidArgument();
  const { state, problem, ...bought } = await settlePayment(payment, context);
  if (problem) throw refusals[problem]();
  return { ...bought, isPending: state === 'open' };
}

/** Buys at the store of the platform, else at the provider that takes new purchases. */
async function buy(
  purchase: Purchase,
  buying: Buying,
  idempotencyKey: string | undefined,
  context: SubscriptionsContext,
): Promise<Bought> {
  const store = context.stores.forPlatform(purchase.app?.app_platform ?? 'web');
  if (!store) return charge(purchase, buying, idempotencyKey, context);
  const { caller, reader } = buying;
  const country = store.web && (await reader.country());
  const bought = { ...purchase, offer: offerOf(purchase, caller, context, country) };
  return store.web
    ? buyOnWeb(store, store.web, bought, caller, context)
    : buyAtStore(store, bought, caller, context);
}

/**
 * Buys a package, or takes the receipt of what was bought in the store of the app. A repeated purchase charges once and gets the same
 * answer. `pending` until the provider decides.
 */
export const purchasePackage = endpoint({
  access: 'member',
  tag: 'Membership',
  operationId: 'purchasePackage',
  summary: 'Buy a package',
  description:
    'Buys what GET /packages listed. `status` is `pending` until the provider has decided. Send an Idempotency-Key and repeat the call with it until it is answered: it is charged once. Unknown packages, rates and codes are 403 without code. Send the price that the member saw as `expected_amount` and `expected_currency`: another one is `Price Changed`, and nothing is charged. Where `can_purchase` is false, send the member to the billing dashboard: a purchase is `Purchase Not Possible`. In an app whose store is listed, `receipt` is what the store signed for the purchase, and its price stands: promo codes are the store’s. On the web with Stripe, send `success_url` and `cancel_url`, on origins of the client’s redirect addresses: `checkout_url` is where the member pays. Repeat the call when the browser is back: `status` is `paid`, or `pending` without `checkout_url` while a bank decides.',
  answer: 'The payment and the membership.',
  example: { request: { package_id: 1, rate_id: 101, receipt: 'sandbox-ok' } },
  refusals: ['Purchase Not Possible', 'Payment Declined', 'Payment Pending', 'Price Changed', 'Forbidden'],
  idempotent: true,
  bodyOnly: true,
  input: purchaseParameters,
  output: membershipView
    .extend({
      status: z.enum(['paid', 'pending']),
      amount: z.number().meta({ examples: [29.99] }),
      amount_fmt: z.string().meta({ examples: ['$29.99'] }),
      currency_code: z.string().meta({ examples: ['USD'] }),
      days: z.int().meta({ examples: [30] }),
      checkout_url: z
        .url()
        .optional()
        .meta({ description: 'Where the member pays: send the browser there.' }),
    })
    .meta({ id: 'Purchase' }),
  async handler({ input, caller, idempotencyKey }, context: SubscriptionsContext) {
    const reader = readerOf(caller, context);
    const { isPending, amount, currency, days, checkout_url } = await buy(
      input,
      { caller, reader },
      idempotencyKey,
      context,
    );
    const membership = await showMembership(caller.id, context);
    const money = moneyView(await reader.locale(), currency);
    return {
      status: isPending ? ('pending' as const) : ('paid' as const),
      amount: money.number(amount),
      amount_fmt: money.text(amount),
      currency_code: currency,
      days,
      ...(checkout_url !== undefined && { checkout_url }),
      ...viewOf(membership, context.clock()),
    };
  },
});
