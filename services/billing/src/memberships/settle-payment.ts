import { changeMemberships, type MembershipWriting } from './change-memberships.ts';
import { canPurchase, extended, isToRenew, refunded, withAutorenew, type Membership } from './membership.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { PackageData } from '../prices/package-data.ts';
import type { RedemptionStore } from '../prices/redemption-store.ts';
import { findPromo } from '../prices/promo.ts';
import { forgetMember } from './forget-member.ts';
import type { Clock } from '@covalence/runtime/clock';
import type { Metrics } from '@covalence/runtime/metrics';
import type { Payment, PaymentProblem, PaymentStore } from '../payments/payment-store.ts';
import type { Charge } from '../payments/provider.ts';
import type { PaymentProviders } from '../payments/providers.ts';

/** What settling payments works with. */
export interface Paying extends MembershipWriting {
  readonly clock: Clock;
  readonly packageData: PackageData;
  readonly payments: PaymentStore;
  readonly ledger: LedgerStore;
  readonly providers: PaymentProviders;
  readonly redemptions: RedemptionStore;
  readonly metrics: Metrics;
}

async function promoProblem(payment: Payment, paying: Paying): Promise<PaymentProblem | undefined> {
  const { promo_code, member, key: purchase } = payment;
  if (promo_code === undefined) return undefined;
  const promo = findPromo(paying.packageData.promoCodes, promo_code);
  if (!promo) return 'promo';
  const outcome = await paying.redemptions.redeem({ promo, member, purchase, at: paying.clock() });
  return outcome === 'redeemed' ? undefined : 'promo';
}

/** What keeps a payment from being charged; uses its promo code where nothing does. */
async function obstacle(payment: Payment, paying: Paying): Promise<PaymentProblem | undefined> {
  const membership = await paying.memberships.find(payment.member);
  if (membership?.payments?.includes(payment.key)) return undefined;
  const at = paying.clock();
  const renews = () => membership !== undefined && isToRenew(membership, payment, at);
  const possible = payment.kind === 'purchase' ? canPurchase(membership, at) : renews();
  return possible ? promoProblem(payment, paying) : 'not_possible';
}

async function fail(payment: Payment, problem: PaymentProblem, paying: Paying): Promise<Payment> {
  if (payment.promo_code !== undefined) await paying.redemptions.release(payment.promo_code, payment.key);
  // A renewal that the provider never heard of was no try: what is wanted instead begins anew.
  if (payment.kind === 'renewal' && problem === 'not_possible') await paying.payments.drop(payment.key);
  else await paying.payments.fail(payment.key, problem);
  paying.metrics.payments.inc({ kind: payment.kind, outcome: problem });
  return { ...payment, state: 'declined', problem };
}

/**
 * Ends a payment. Whoever was erased meanwhile, and so has no line in the books but those of this payment, has nothing by it; what
 * was taken stands there as nobody's.
 */
async function close({ key, member }: Payment, state: 'paid' | 'refunded', paying: Paying): Promise<void> {
  await paying.payments.close(key, state);
  if (await paying.payments.find(key)) return;
  const lines = await paying.ledger.of(member);
  if (lines.every(({ payment }) => payment === key)) await forgetMember(member, paying);
}

async function applyPaid(payment: Payment, charge: Charge, paying: Paying): Promise<Payment> {
  const { key, member, kind, amount, currency, provider, package_id, rate_id, promo_code } = payment;
  const at = paying.clock();
  // What was declined at first has given its code back.
  await promoProblem(payment, paying);
  const facts = { member, kind, amount, currency, at, package_id, rate_id, provider, promo_code };
  await paying.ledger.append({ id: `${key}:charge`, ...facts, payment: key, reference: charge.reference });
  // What was read before the provider was asked may not know that renewal was switched off meanwhile.
  const known = (await paying.payments.find(key)) ?? payment;
  await changeMemberships(paying, [member], (_member, current) => extended(current, known, charge, at), at);
  // Whoever switched it off between the two found no membership yet.
  const isOff = known.renews !== false && (await paying.payments.find(key))?.renews === false;
  const switchedOff = (_member: number, current?: Membership) => current && withAutorenew(current, false, at);
  if (isOff) await changeMemberships(paying, [member], switchedOff, at);
  await close(payment, 'paid', paying);
  paying.metrics.payments.inc({ kind, outcome: 'paid' });
  return { ...payment, state: 'paid' };
}

async function applyRefund(payment: Payment, charge: Charge, paying: Paying): Promise<Payment> {
  const { key, member, currency, provider, package_id, rate_id } = payment;
  const at = paying.clock();
  const facts = { member, kind: 'refund' as const, currency, at, package_id, rate_id, provider };
  const note = (await paying.payments.find(key))?.refund_note;
  await paying.ledger.append({
    id: `${key}:refund`,
    ...facts,
    amount: -charge.refunded,
    payment: key,
    reference: charge.reference,
    ...note,
  });
  const all = await paying.payments.of(member);
  await changeMemberships(paying, [member], (_member, current) => refunded(current, payment, all, at), at);
  await close(payment, 'refunded', paying);
  paying.metrics.payments.inc({ kind: payment.kind, outcome: 'refunded' });
  return { ...payment, state: 'refunded' };
}

/**
 * Brings a payment to what the provider says of its charge: ledger, membership, then the payment itself. Each step
 * happens once however often and in whatever order this is called; a crash between them is made good by the next call.
 */
export async function applyCharge(payment: Payment, charge: Charge, paying: Paying): Promise<Payment> {
  if (charge.status === 'pending') return payment;
  if (charge.status === 'declined') {
    return payment.state === 'open' ? fail(payment, 'declined', paying) : payment;
  }
  const known = payment.state === 'paid' || payment.state === 'refunded';
  const settled = known ? payment : await applyPaid(payment, charge, paying);
  const givenBack = charge.refunded > 0 && settled.state !== 'refunded';
  return givenBack ? applyRefund(settled, charge, paying) : settled;
}

/**
 * Charges an open payment, once however often it is tried, and applies what came of it. Throws when the provider does. Where its
 * provider is not listed it stays open, neither charged nor lost: nobody can say whether it was charged before.
 */
export async function settlePayment(payment: Payment, paying: Paying): Promise<Payment> {
  if (payment.state !== 'open') return payment;
  const provider = paying.providers.find(payment.provider);
  if (!provider) return payment;
  const begun = await provider.find(payment.key);
  if (begun) return applyCharge(payment, begun, paying);
  const problem = await obstacle(payment, paying);
  if (problem) return fail(payment, problem, paying);
  const { key, member, amount, currency, receipt, source } = payment;
  const charge = await provider.charge({ key, member, amount, currency, receipt, source });
  return applyCharge(payment, charge, paying);
}
