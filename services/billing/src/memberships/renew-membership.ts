import { minuteMs } from '@covalence/contract/time';
import { countryPrice, soldRate } from '../prices/package-data.ts';
import { changeMemberships } from './change-memberships.ts';
import { renewalsOf, renewalTry, statusOf, withAutorenew, type Membership } from './membership.ts';
import type { Payment } from '../payments/payment-store.ts';
import { settlePayment, type PaymentContext } from './settle-payment.ts';

/** Settles the member's pending renewal; false if there is none, or it is no longer valid. */
async function settleEarlier({ member }: Membership, context: PaymentContext): Promise<boolean> {
  const undecided = await context.payments.findOpenRenewal(member);
  return undecided !== undefined && (await settlePayment(undecided, context)).problem !== 'not_possible';
}

/**
 * The attempt to make: the first up to this one that has not failed. After a restored backup this finds a charge that only the provider
 * knows, instead of charging again.
 */
async function openTry(membership: Membership, attempt: number, context: PaymentContext): Promise<number> {
  const payments = await context.payments.of(membership.member);
  const over = new Set(payments.flatMap(({ key, state }) => (state === 'open' ? [] : [key])));
  let open = 0;
  while (open < attempt && over.has(`${renewalsOf(membership)}${open}`)) open += 1;
  return open;
}

/** Days and price of a renewal; undefined if the rate is no longer sold, or in another currency. */
function renewalPrice({ package_id, rate_id, source }: Membership, { packageData }: PaymentContext) {
  const sold = soldRate(packageData, rate_id);
  if (sold?.pack.package_id !== package_id || !source) return undefined;
  const { amount, currency } = countryPrice(sold.rate, source.country) ?? sold.rate;
  return currency === source.currency ? { days: sold.pack.days, amount, source } : undefined;
}

/** The payment of an attempt; a repeated attempt is the same payment. */
async function renewalOf(
  membership: Membership,
  { days, amount, source }: NonNullable<ReturnType<typeof renewalPrice>>,
  attempt: number,
  context: PaymentContext,
  at: Date,
): Promise<Payment | undefined> {
  const { member, package_id, rate_id } = membership;
  const { country, currency } = source;
  const payment = await context.payments.open({
    key: `${renewalsOf(membership)}${await openTry(membership, attempt, context)}`,
    member,
    kind: 'renewal',
    package_id,
    rate_id,
    days,
    amount,
    currency,
    ...(country !== undefined && { country }),
    provider: source.provider,
    source: source.reference,
    state: 'open',
    at,
    look_at: new Date(at.getTime() + minuteMs),
  });
  return payment === 'busy' ? undefined : payment;
}

/** Records a failed renewal: updates the status and schedules the next attempt for tomorrow. */
const noteTry = (member: number, context: PaymentContext, at: Date) =>
  changeMemberships(
    context,
    [member],
    (_member, current) =>
      current && renewalTry(current, at) !== undefined
        ? { ...current, status: statusOf(current, at), tried_at: at }
        : undefined,
    at,
  );

/** Switches off a renewal that nothing is sold for any more, so that the member may buy something else at once. */
async function endRenewal({ member }: Membership, context: PaymentContext, at: Date) {
  const isOff = (_member: number, current?: Membership) => current && withAutorenew(current, false, at);
  await changeMemberships(context, [member], isOff, at);
  context.metrics.payments.inc({ kind: 'renewal', outcome: 'unsold' });
}

/**
 * Renews a membership at its rate, without promo code. If the payment is declined or pending, or the provider is unavailable or
 * unlisted, it retries daily until the end of the grace period. A pending payment is applied when it is decided.
 */
export async function renewMembership(
  membership: Membership,
  context: PaymentContext,
  at: Date,
): Promise<void> {
  const attempt = renewalTry(membership, at);
  if (attempt === undefined) return;
  const { provider } = membership.source ?? {};
  try {
    if (provider !== undefined && !context.providers.find(provider))
      throw new Error(`${provider} is not in PAYMENT_PROVIDERS, so its memberships are not renewed`);
    if (await settleEarlier(membership, context)) return;
    const price = renewalPrice(membership, context);
    if (!price) return await endRenewal(membership, context, at);
    const payment = await renewalOf(membership, price, attempt, context, at);
    if (payment) await settlePayment(payment, context);
  } finally {
    await noteTry(membership.member, context, at);
  }
}
