import { changeMemberships, type MembershipContext } from './change-memberships.ts';
import { canPurchase, extended, isToRenew, refunded, withAutorenew, type Membership } from './membership.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { PackageData } from '../prices/package-data.ts';
import type { RedemptionStore } from '../prices/redemption-store.ts';
import { findPromo } from '../prices/promo.ts';
import type { CustomerStore } from '../stores/customer-store.ts';
import type { AccountTokenStore } from '../stores/account-token-store.ts';
import type { Clock } from '@covalence/runtime/clock';
import type { Metrics } from '@covalence/runtime/metrics';
import type { Payment, PaymentProblem, PaymentStore } from '../payments/payment-store.ts';
import type { Charge } from '../payments/provider.ts';
import type { PaymentProviders } from '../payments/providers.ts';

/** Dependencies of settling payments. */
export interface PaymentContext extends MembershipContext {
  readonly clock: Clock;
  readonly packageData: PackageData;
  readonly payments: PaymentStore;
  readonly ledger: LedgerStore;
  readonly providers: PaymentProviders;
  readonly accountTokens: AccountTokenStore;
  readonly customers: CustomerStore;
  readonly redemptions: RedemptionStore;
  readonly metrics: Metrics;
}

/**
 * Deletes a member's membership, which ends renewals, and subscriptions, and leaves it to a job to end those that the service sold;
 * anonymizes payments and ledger. Idempotent.
 */
export async function forgetMember(id: number, context: PaymentContext): Promise<void> {
  const { memberships, subscriptions, accountTokens, customers, payments } = context;
  const { redemptions, ledger, providers } = context;
  // First, so that nothing is charged again.
  await memberships.erase(id);
  await accountTokens.erase(id);
  await customers.erase(id);
  await subscriptions.erase(id);
  await payments.anonymize(id);
  await redemptions.anonymize(id);
  await providers.forget(id);
  await ledger.anonymize(id);
  // A concurrent payment may have created a membership. Later ones detect the erasure in close().
  await memberships.erase(id);
}

async function promoProblem(payment: Payment, context: PaymentContext): Promise<PaymentProblem | undefined> {
  const { promo_code, member, key: purchase } = payment;
  if (promo_code === undefined) return undefined;
  const promo = findPromo(context.packageData.promoCodes, promo_code);
  if (!promo) return 'promo';
  const outcome = await context.redemptions.redeem({ promo, member, purchase, at: context.clock() });
  return outcome === 'redeemed' ? undefined : 'promo';
}

/** Why a payment cannot be charged; redeems its promo code if it can. */
async function obstacle(payment: Payment, context: PaymentContext): Promise<PaymentProblem | undefined> {
  const membership = await context.memberships.find(payment.member);
  if (membership?.payments?.includes(payment.key)) return undefined;
  const at = context.clock();
  const renews = () => membership !== undefined && isToRenew(membership, payment, at);
  const possible = payment.kind === 'purchase' ? canPurchase(membership, at) : renews();
  return possible ? promoProblem(payment, context) : 'not_possible';
}

async function fail(payment: Payment, problem: PaymentProblem, context: PaymentContext): Promise<Payment> {
  if (payment.promo_code !== undefined) await context.redemptions.release(payment.promo_code, payment.key);
  // The provider never saw this renewal: drop it, so that it does not count as an attempt.
  if (payment.kind === 'renewal' && problem === 'not_possible') await context.payments.drop(payment.key);
  else await context.payments.fail(payment.key, problem);
  context.metrics.payments.inc({ kind: payment.kind, outcome: problem });
  return { ...payment, state: 'declined', problem };
}

/** Closes a payment. If the member was erased meanwhile, forgets them again and leaves the entry in the ledger anonymized. */
async function close(
  { key, member }: Payment,
  state: 'paid' | 'refunded',
  context: PaymentContext,
): Promise<void> {
  await context.payments.close(key, state);
  if (await context.payments.find(key)) return;
  const lines = await context.ledger.of(member);
  if (lines.every(({ payment }) => payment === key)) await forgetMember(member, context);
}

async function applyPaid(payment: Payment, charge: Charge, context: PaymentContext): Promise<Payment> {
  const { key, member, kind, amount, currency, provider, package_id, rate_id, promo_code } = payment;
  const at = context.clock();
  // A payment that was declined first has released its promo code.
  await promoProblem(payment, context);
  const facts = { member, kind, amount, currency, at, package_id, rate_id, provider, promo_code };
  await context.ledger.append({ id: `${key}:charge`, ...facts, payment: key, reference: charge.reference });
  // Read again: renewal may have been switched off while the provider decided.
  const known = (await context.payments.find(key)) ?? payment;
  await changeMemberships(
    context,
    [member],
    (_member, own, shown) => extended(own, known, charge, at, shown),
    at,
  );
  // It may have been switched off in between, before the membership existed.
  const isOff = known.renews !== false && (await context.payments.find(key))?.renews === false;
  const switchedOff = (_member: number, current?: Membership) => current && withAutorenew(current, false, at);
  if (isOff) await changeMemberships(context, [member], switchedOff, at);
  await close(payment, 'paid', context);
  context.metrics.payments.inc({ kind, outcome: 'paid' });
  return { ...payment, state: 'paid' };
}

/** Adds what was refunded since the last line of the payment's refunds: a part may have been refunded at the provider before. */
async function bookRefund(payment: Payment, charge: Charge, context: PaymentContext): Promise<void> {
  const { key, member, currency, provider, package_id, rate_id } = payment;
  let id = `${key}:refund`;
  let booked = 0;
  for (let line = await context.ledger.find(id); line; line = await context.ledger.find(id)) {
    booked -= line.amount;
    id = `${key}:refund:${booked}`;
  }
  if (charge.refunded <= booked) return;
  const facts = { member, kind: 'refund' as const, currency, package_id, rate_id, provider, payment: key };
  const amount = booked - charge.refunded;
  const note = (await context.payments.find(key))?.refund_note;
  const line = { id, ...facts, at: context.clock(), amount, reference: charge.reference, ...note };
  // Another process has booked meanwhile, perhaps less.
  if (!(await context.ledger.append(line))) await bookRefund(payment, charge, context);
}

/** Takes the days of a payment, once. */
async function endPaid(payment: Payment, context: PaymentContext): Promise<Payment> {
  const { member } = payment;
  const at = context.clock();
  const all = await context.payments.of(member);
  await changeMemberships(context, [member], (_member, current) => refunded(current, payment, all, at), at);
  await close(payment, 'refunded', context);
  context.metrics.payments.inc({ kind: payment.kind, outcome: 'refunded' });
  return { ...payment, state: 'refunded' };
}

/**
 * Applies the provider's state of a charge to the ledger, the membership and the payment, in this order. Each step is idempotent, so a
 * repeated call completes an interrupted one.
 */
export async function applyCharge(
  payment: Payment,
  charge: Charge,
  context: PaymentContext,
): Promise<Payment> {
  if (charge.status === 'pending') return payment;
  if (charge.status === 'declined') {
    return payment.state === 'open' ? fail(payment, 'declined', context) : payment;
  }
  const known = payment.state === 'paid' || payment.state === 'refunded';
  const settled = known ? payment : await applyPaid(payment, charge, context);
  if (!charge.refunded) return settled;
  await bookRefund(settled, charge, context);
  return settled.state === 'refunded' ? settled : endPaid(settled, context);
}

/**
 * Charges an open payment, at most once, and applies the result. Throws if the provider is unavailable. A payment of an unlisted
 * provider stays open, because it may have been charged before.
 */
export async function settlePayment(payment: Payment, context: PaymentContext): Promise<Payment> {
  if (payment.state !== 'open') return payment;
  const provider = context.providers.find(payment.provider);
  if (!provider) return payment;
  const begun = await provider.find(payment.key);
  if (begun) return applyCharge(payment, begun, context);
  const problem = await obstacle(payment, context);
  if (problem) return fail(payment, problem, context);
  const { key, member, amount, currency, receipt, source } = payment;
  const charge = await provider.charge({ key, member, amount, currency, receipt, source });
  return applyCharge(payment, charge, context);
}
