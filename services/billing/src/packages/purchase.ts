import { Failure, forbidden, invalidArgument } from '@covalence/contract/failure';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { membershipView, viewOf } from '../memberships/membership-view.ts';
import { canPurchase } from '../memberships/membership.ts';
import { showMembership } from '../memberships/show-membership.ts';
import type { Payment, PaymentProblem } from '../payments/payment-store.ts';
import { settlePayment } from '../memberships/settle-payment.ts';
import { moneyView } from '../ledger/money.ts';
import { offersFor, type Offer } from '../prices/offers.ts';
import type { PromoCode } from '../prices/package-data.ts';
import { promoOutcome } from './promo-outcome.ts';
import { discountOf } from '../prices/promo.ts';
import { purchaseParameters, type Purchase } from './purchase-parameters.ts';
import { readerLocale } from './reader-locale.ts';

const notPossible = () => new Failure(403, 'Purchase Not Possible');

const refusals: Record<PaymentProblem, () => Failure> = {
  declined: () => new Failure(403, 'Payment Declined'),
  promo: () => invalidArgument(),
  not_possible: notPossible,
};

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * Names a purchase, so that a repeated one is known: by the client's Idempotency-Key, else by its receipt, else by the
 * membership it changes; the latter two also by how many purchases failed before, so that two clicks are one purchase and a
 * try after a failure is a new one. A receipt that was charged, or refused, is known by itself.
 */
async function keyOf(
  purchase: Purchase,
  { id }: Caller,
  given: string | undefined,
  context: BillingContext,
): Promise<string> {
  if (given !== undefined) return `${id}:purchase:key:${hash(given)}`;
  const failed = await context.payments.countFailed(id);
  if (purchase.receipt !== undefined) return `${id}:purchase:receipt:${hash(purchase.receipt)}:${failed}`;
  const membership = await context.memberships.find(id);
  return `${id}:purchase:auto:${membership?.version ?? 0}:${failed}`;
}

/** The code's entry where it is good here and now. A code that is not leaves no payment behind, whose receipt would be spent. */
async function promoFor(purchase: Purchase, caller: Caller, offer: Offer, context: BillingContext) {
  const { promo_code: typed, app } = purchase;
  if (typed === undefined) return undefined;
  const outcome = await promoOutcome({ typed, app, offers: [offer], caller }, context);
  if (!outcome.valid) throw invalidArgument();
  return outcome.promo;
}

const priceOf = ({ pack, rate }: Offer, promo: PromoCode | undefined) => ({
  amount: rate.amount - (promo ? discountOf(promo, rate.amount) : 0),
  days: promo?.kind === 'free_trial' ? promo.trial_days : pack.days,
});

/** The provider was never asked for it, so its receipt is not kept. */
const isUncharged = ({ problem }: Payment) => problem === 'promo' || problem === 'not_possible';

/** A key says the same purchase, or it is not the client's to use again. */
const isSame = (payment: Payment, purchase: Purchase, caller: Caller): boolean =>
  payment.member === caller.id &&
  payment.package_id === purchase.package_id &&
  payment.rate_id === purchase.rate_id &&
  payment.promo_code === purchase.promo_code?.trim().toUpperCase() &&
  (isUncharged(payment) || payment.receipt_hash === (purchase.receipt && hash(purchase.receipt)));

async function begin(
  key: string,
  purchase: Purchase,
  caller: Caller,
  context: BillingContext,
): Promise<Payment> {
  const { receipt, app } = purchase;
  const site = context.sites.get(caller.siteid);
  if (!site) throw forbidden();
  const offer = offersFor(context.packageData, site.siteid, app).find(
    ({ pack, rate }) => pack.package_id === purchase.package_id && rate.rate_id === purchase.rate_id,
  );
  if (!offer) throw invalidArgument();
  const promo = await promoFor(purchase, caller, offer, context);
  const at = context.clock();
  const provider = context.providers.current;
  if (!provider || !canPurchase(await context.memberships.find(caller.id), at)) throw notPossible();
  const payment = await context.payments.open({
    key,
    member: caller.id,
    kind: 'purchase',
    package_id: purchase.package_id,
    rate_id: purchase.rate_id,
    ...priceOf(offer, promo),
    currency: site.currency,
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

/** The payment that a purchase is, begun now where it is the first of its key. */
async function paymentOf(purchase: Purchase, caller: Caller, key: string, context: BillingContext) {
  const find = () => context.payments.find(key, purchase.receipt && hash(purchase.receipt));
  const known = await find();
  if (known) return known;
  try {
    return await begin(key, purchase, caller, context);
  } catch (refusal) {
    // What the same purchase has brought about meanwhile is no reason to refuse it.
    const meanwhile = await find();
    if (meanwhile) return meanwhile;
    throw refusal;
  }
}

/**
 * POST /packages/purchase. A repeated purchase charges once and is answered alike. `pending` where the provider has
 * not decided; the record follows when it has. 403 without code: an unknown package or rate, a promo code that is not
 * valid, a receipt used before, a declined payment, a purchase that is not possible now (can_purchase false).
 */
export const purchasePackage = endpoint({
  access: 'member',
  tag: 'Membership',
  operationId: 'purchasePackage',
  summary: 'Buy a package',
  description:
    'Buys what GET /packages listed. `status` is `pending` until the provider has decided. Send an Idempotency-Key and repeat the call with it until it is answered: it is charged once. Unknown packages, rates and codes are 403 without code. Where `can_purchase` is false, send the member to the billing dashboard: a purchase is `Purchase Not Possible`.',
  answer: 'The payment and the membership.',
  example: { request: { package_id: 1, rate_id: 101, receipt: 'sandbox-ok' } },
  refusals: ['Purchase Not Possible', 'Payment Declined', 'Payment Pending', 'Forbidden'],
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
    })
    .meta({ id: 'Purchase' }),
  async handler({ input, caller, idempotencyKey }, context: BillingContext) {
    const key = await keyOf(input, caller, idempotencyKey, context);
    const payment = await paymentOf(input, caller, key, context);
    if (!isSame(payment, input, caller)) throw invalidArgument();
    const { state, problem, amount, currency, days } = await settlePayment(payment, context);
    if (problem) throw refusals[problem]();
    const membership = await context.memberships.find(caller.id);
    await showMembership(membership, context);
    const site = context.sites.get(caller.siteid) ?? { locale: 'en_US' };
    const money = moneyView(await readerLocale(caller, site, context), currency);
    return {
      status: state === 'open' ? ('pending' as const) : ('paid' as const),
      amount: money.number(amount),
      amount_fmt: money.text(amount),
      currency_code: currency,
      days,
      ...viewOf(membership, context.clock()),
    };
  },
});
