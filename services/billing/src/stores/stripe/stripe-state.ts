import { divideRounded, minorDigits } from '../../ledger/money.ts';
import type { Price } from '../../prices/package-data.ts';
import type { StoreCharge, StoreState } from '../store.ts';
import type { Stripe } from 'stripe';

/** Currencies that Stripe counts in whole units, and those that it counts in hundredths though they have none. */
const wholeAtStripe = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const hundredthsAtStripe = new Set(['ISK', 'UGX']);

const digitsAtStripe = (currency: string): number =>
  wholeAtStripe.has(currency) ? 0 : hundredthsAtStripe.has(currency) ? 2 : minorDigits(currency);

/** A price as Stripe counts it. */
export const atStripe = ({ amount, currency }: Price) => ({
  currency: currency.toLowerCase(),
  unit_amount: divideRounded(amount * 10 ** digitsAtStripe(currency), 10 ** minorDigits(currency)),
});

/** An amount of Stripe in minor units by ISO 4217. */
export function minorOf(amount: number, code: string): Price {
  const currency = code.toUpperCase();
  const digits = minorDigits(currency);
  return { amount: divideRounded(amount * 10 ** digits, 10 ** digitsAtStripe(currency)), currency };
}

/** Stripe's data on a subscription. */
export interface StripeFacts {
  readonly subscription: Stripe.Subscription;
  readonly invoices: readonly Stripe.Invoice[];
  /** The payments of its customer. */
  readonly payments: readonly Stripe.Charge[];
  readonly disputes: readonly Stripe.Dispute[];
}

/** The id of what may be expanded. */
export const idOf = (one: string | { readonly id: string } | null | undefined): string =>
  typeof one === 'string' ? one : (one?.id ?? '');

const date = (seconds: number) => new Date(seconds * 1_000);

/** Disputes for which the bank has taken the money. */
const taken = new Set<string>([
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
]);

const sum = (all: readonly number[]) => all.reduce((total, amount) => total + amount, 0);

/** The refund of an invoice's payments, and whether it ends the paid period. */
function refundOf(invoice: Stripe.Invoice, { payments, disputes }: StripeFacts) {
  const intents = new Set((invoice.payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent)));
  const paid = payments.filter((one) => one.payment_intent !== null && intents.has(idOf(one.payment_intent)));
  const ids = new Set(paid.map(({ id }) => id));
  const disputed = disputes.filter(({ charge, status }) => ids.has(idOf(charge)) && taken.has(status));
  const refunded = paid.flatMap(({ refunds }) => refunds?.data ?? []);
  const amount = Math.min(
    invoice.amount_paid,
    sum(paid.map(({ amount_refunded }) => amount_refunded)) + sum(disputed.map((one) => one.amount)),
  );
  const at = Math.max(...[...refunded, ...disputed].map(({ created }) => created), invoice.created);
  return { amount, at: date(at), isDisputed: disputed.length > 0 };
}

/** The line of an invoice that says what was bought: the dearest, because credits are negative. */
const lineOf = ({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem | undefined =>
  lines.data.toSorted((a, b) => b.amount - a.amount)[0];

const paidAt = ({ status_transitions, created }: Stripe.Invoice) => status_transitions.paid_at ?? created;

/** A charge with what ends the membership: the whole amount was given back, or the bank took it. */
interface Paid {
  readonly charge: StoreCharge;
  /** The end of the time that it was paid for. */
  readonly until: number;
  readonly isReversed: boolean;
  readonly isDisputed: boolean;
}

function paidOf(invoice: Stripe.Invoice, facts: StripeFacts): Paid {
  const { amount, at, isDisputed } = refundOf(invoice, facts);
  const minor = minorOf(invoice.amount_paid, invoice.currency);
  const refund = amount ? { amount: minorOf(amount, invoice.currency).amount, at } : undefined;
  return {
    charge: {
      id: invoice.id,
      product: idOf(lineOf(invoice)?.pricing?.price_details?.product),
      ...minor,
      at: date(paidAt(invoice)),
      ...(refund && { refund }),
    },
    until: paidUntil([invoice]),
    isReversed: amount > 0 && amount === invoice.amount_paid,
    isDisputed,
  };
}

/** The end of the time that invoices have paid for; 0 for none. */
const paidUntil = (paid: readonly Stripe.Invoice[]): number =>
  Math.max(
    0,
    ...paid.flatMap(({ lines }) => lines.data.map(({ period, amount }) => (amount < 0 ? 0 : period.end))),
  );

const over = new Set<string>(['canceled', 'incomplete_expired']);
const granted = new Set<string>(['active', 'trialing']);

/** Whether a bank transfer is on its way for an invoice. */
const isAwaited = ({ subscription, invoices, payments }: StripeFacts): boolean => {
  const latest = invoices.find(({ id }) => id === idOf(subscription.latest_invoice));
  const intents = (latest?.payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent));
  return payments.some((one) => one.status === 'pending' && intents.includes(idOf(one.payment_intent)));
};

/** Until when the first payment is put off, because the member has time from elsewhere. A trial that goes on after that is one. */
function postponedUntil(
  { status, trial_end, metadata }: Stripe.Subscription,
  now: number,
): number | undefined {
  const begins = Number(metadata['begins'] ?? 0);
  const ends = trial_end ?? Infinity;
  return status === 'trialing' && (now < begins || begins >= ends) ? Math.min(begins, ends) : undefined;
}

/** Whether the subscription goes on after the period. */
const isRenewed = (
  { status, cancel_at, cancel_at_period_end }: Stripe.Subscription,
  { current_period_end }: Stripe.SubscriptionItem,
): boolean =>
  !over.has(status) && !cancel_at_period_end && (cancel_at === null || cancel_at > current_period_end);

/** Phase and end of a subscription of which nothing was taken back. */
function lifeOf(
  facts: StripeFacts,
  item: Stripe.SubscriptionItem,
  paid: readonly Stripe.Invoice[],
  now: number,
): { readonly phase: StoreState['phase']; readonly ends: number } {
  const { subscription } = facts;
  const { current_period_start: starts, current_period_end: ends } = item;
  const { status, pause_collection, latest_invoice, ended_at, cancel_at } = subscription;
  if (over.has(status)) return { phase: 'ended', ends: ended_at ?? ends };
  const begins = postponedUntil(subscription, now);
  if (begins !== undefined) {
    // Without renewal nothing was paid, and nothing is to be: only days that were added to the trial are left.
    const isLeft = isRenewed(subscription, item) || Math.min(cancel_at ?? Infinity, ends) > begins;
    return isLeft ? { phase: 'postponed', ends: begins } : { phase: 'ended', ends: starts };
  }
  const until = paidUntil(paid);
  if (!paid.length && (latest_invoice || !granted.has(status))) {
    // A bank transfer arrives later; a card that was declined may still pay on the page, and is nothing until then.
    const isPending = granted.has(status) || (status === 'incomplete' && isAwaited(facts));
    return isPending ? { phase: 'pending', ends } : { phase: 'ended', ends: starts };
  }
  const end = cancel_at === null ? ends : Math.min(cancel_at, ends);
  // Stripe goes on through the periods, but what it does not charge for is not provided.
  if (granted.has(status))
    return { phase: 'running', ends: pause_collection?.behavior === 'void' ? until : end };
  const isPaid = until > starts && status !== 'paused';
  return { phase: isPaid ? 'running' : 'waiting', ends: until || starts };
}

/** The product of a change that waits: for the next phase of a schedule, or for its payment. */
function plannedOf({ schedule, pending_update }: Stripe.Subscription): string | undefined {
  const { current_phase, phases } = typeof schedule === 'object' ? (schedule ?? {}) : {};
  const [next] = (phases ?? []).filter(
    ({ start_date }) => current_phase && start_date >= current_phase.end_date,
  );
  const price = next?.items[0]?.price ?? pending_update?.subscription_items?.[0]?.price;
  return typeof price === 'object' && 'product' in price ? idOf(price.product) : undefined;
}

/** The state of a subscription from what Stripe answers now; undefined for one without an item. */
export function stripeState(facts: StripeFacts, app: string, now: Date): StoreState | undefined {
  const { subscription } = facts;
  const [item] = subscription.items.data.toSorted((a, b) => b.current_period_end - a.current_period_end);
  if (!item) return undefined;
  const paid = facts.invoices
    .filter(({ status }) => status === 'paid')
    .toSorted((a, b) => paidAt(a) - paidAt(b));
  const entries = paid
    .filter(({ amount_paid, billing_reason }) => amount_paid > 0 || billing_reason === 'subscription_create')
    .map((invoice) => paidOf(invoice, facts));
  // The largest payment for the time until the end: not the difference of a change.
  const [latest] = entries
    .filter(({ charge }) => charge.amount > 0)
    .toSorted((a, b) => b.until - a.until || b.charge.amount - a.charge.amount);
  // A buyer who disputes one payment has not agreed to any other.
  const reversed = latest?.isReversed ? latest : entries.findLast(({ isDisputed }) => isDisputed);
  const { phase, ends } = lifeOf(facts, item, paid, now.getTime() / 1_000);
  const isOver = over.has(subscription.status);
  const isUnpaid = phase === 'ended' && !isOver;
  const reversedAt = reversed?.charge.refund?.at;
  const end = date(ends);
  return {
    account: subscription.metadata['account_token'],
    customer: idOf(subscription.customer),
    app,
    product: idOf(item.price.product),
    next: plannedOf(subscription),
    phase: reversedAt ? 'ended' : phase,
    started_at: date(subscription.start_date),
    expires_at: reversedAt && reversedAt < end ? reversedAt : end,
    autorenew: !isUnpaid && isRenewed(subscription, item),
    isShared: false,
    isTest: !subscription.livemode,
    currency: subscription.currency.toUpperCase(),
    charges: entries.map(({ charge }) => charge),
    // The page on which the first payment was declined stays open.
    ...(!isOver &&
      (reversedAt || (isUnpaid && subscription.status !== 'incomplete')) && { isUnfinished: true as const }),
  };
}
