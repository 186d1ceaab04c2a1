import { createHash, randomUUID } from 'node:crypto';
import type { SubscriptionsContext as Context } from '../subscriptions/subscriptions.ts';
import type { LedgerEntry } from '../ledger/ledger-store.ts';
import { changeMemberships, type Decide } from '../memberships/change-memberships.ts';
import { corrected, type Membership } from '../memberships/membership.ts';
import { applyCharge } from '../memberships/settle-payment.ts';
import type { Payment } from '../payments/payment-store.ts';
import type { Charge, PaymentProvider } from '../payments/provider.ts';
import {
  changesMembership,
  checkChange,
  isLineOf,
  packageOf,
  refusal,
  type Correction,
} from './check-correction.ts';

/** The author of a correction: the staff account, and the second person, if one approved it. */
interface Author {
  readonly staff: string;
  readonly approved_by?: string | undefined;
}

/** A payment to refund in full, with its charge as it is now. */
interface Refund {
  readonly payment: Payment;
  readonly provider: PaymentProvider;
  readonly charge: Charge;
}

/** Whether the provider has refunded all of a payment, so that the call moves no money. */
export const isRefunded = ({ payment, charge }: Refund): boolean => charge.refunded >= payment.amount;

/** A correction that was checked: what it does. */
export interface Plan {
  readonly correction: Correction;
  /** Id of its ledger entry. */
  readonly line: string;
  readonly changes: boolean;
  readonly refund: Refund | undefined;
}

/** The id of a correction's ledger entry, derived from the Idempotency-Key if there is one. */
const lineIdOf = ({ member }: Correction, key: string | undefined): string => {
  const name = key === undefined ? randomUUID() : createHash('sha256').update(key).digest('base64url');
  return `${member}:correction:${name}`;
};

/** The payment of a refund. Throws 403 if the member has no such paid payment, it was free, or its provider is unlisted. */
async function refundOf(
  key: string,
  { member }: Correction,
  { payments, providers }: Context,
): Promise<Refund> {
  const payment = await payments.find(key);
  if (payment?.member !== member) throw refusal('payment');
  if (!payment.amount) throw refusal('unpaid');
  const provider = providers.find(payment.provider);
  if (!provider) throw refusal('provider');
  const charge = await provider.find(key);
  if (charge?.status !== 'paid') throw refusal('unpaid');
  return { payment, provider, charge };
}

/** Whether a refund that a second person approved was made, and the rest of the correction only has to follow. */
const isBegun = (refund: Refund, approvedBy: string | undefined): boolean =>
  approvedBy !== undefined && isRefunded(refund) && refund.payment.refund_note?.approved_by === approvedBy;

/** Checks a correction, under its Idempotency-Key, before anything is written or refunded. Throws the refusal. */
export async function planCorrection(
  correction: Correction,
  key: string | undefined,
  context: Context,
  approvedBy?: string,
): Promise<Plan> {
  const changes = changesMembership(correction);
  if (!correction.reason) throw refusal('reason');
  if (!changes && correction.refund === undefined) throw refusal('nothing');
  const line = lineIdOf(correction, key);
  const refund =
    correction.refund === undefined ? undefined : await refundOf(correction.refund, correction, context);
  if (changes && !(refund && isBegun(refund, approvedBy)))
    await checkChange(correction, await context.ledger.find(line), approvedBy !== undefined, context);
  return { correction, line, changes, refund };
}

/** Refunds a payment. The reason is stored first, because the provider's webhook may arrive before its response. */
async function makeRefund(
  refund: Refund,
  { reason }: Correction,
  author: Author,
  context: Context,
): Promise<void> {
  const { payment, provider } = refund;
  if (!isRefunded(refund)) await context.payments.noteRefund(payment.key, { ...author, reason });
  const refunded = await provider.refund(payment.key);
  if (!refunded) throw refusal('unpaid');
  await applyCharge(payment, refunded, context);
}

/** The ledger entry of a correction of the membership `current`. */
export async function entryOf(
  { correction, line: id }: Plan,
  current: Membership | undefined,
  author: Author,
  context: Context,
) {
  const { member, reason } = correction;
  const at = context.clock();
  const rate_id = correction.rate_id ?? current?.rate_id;
  const package_id = correction.rate_id ? packageOf(context, rate_id) : current?.package_id;
  const expires_at = correction.expires_at === 'now' ? at : (correction.expires_at ?? current?.expires_at);
  if (!rate_id || !package_id || !expires_at) throw refusal('noMembership');
  const autorenew = correction.autorenew ?? current?.autorenew ?? false;
  const facts = { member, package_id, rate_id, expires_at, autorenew, at, ...author, reason };
  const currency = await currencyOf(member, context);
  return { id, kind: 'correction' as const, amount: 0, currency, ...facts };
}

/** Finds or appends the ledger entry of a correction. */
async function appendEntry(plan: Plan, author: Author, context: Context): Promise<LedgerEntry> {
  const { ledger, memberships } = context;
  const standing = await ledger.find(plan.line);
  if (standing) return standing;
  const entry = await entryOf(plan, await memberships.find(plan.correction.member), author, context);
  // Of two concurrent corrections the first one counts.
  return (await ledger.append(entry)) ? entry : ((await ledger.find(plan.line)) ?? entry);
}

/** The current values of unnamed fields: a renewal may have been paid since the entry was appended. */
const unnamed = (found: Membership | undefined, { expires_at, autorenew, rate_id }: Correction) =>
  found && {
    ...(expires_at === undefined && { expires_at: found.expires_at }),
    ...(autorenew === undefined && { autorenew: found.autorenew }),
    ...(rate_id === undefined && { package_id: found.package_id, rate_id: found.rate_id }),
  };

/** Applies the ledger entry of a correction to a membership. Throws where it is the entry of another one. */
export function correcting(entry: LedgerEntry, correction: Correction, at: Date): Decide {
  const { id, member, package_id, rate_id, expires_at, autorenew } = entry;
  if (!expires_at || autorenew === undefined || !isLineOf(entry, correction)) throw refusal('key');
  const facts = { member, package_id, rate_id, expires_at, autorenew };
  return (_member, found) => corrected(found, { ...facts, ...unnamed(found, correction) }, id, at);
}

/**
 * Makes a correction: the refund, then the ledger entry with the reason, then the membership. Repeated with the same key it completes
 * an interrupted one.
 */
export async function makeCorrection(plan: Plan, author: Author, context: Context): Promise<void> {
  const { correction, changes, refund } = plan;
  const { member } = correction;
  const record = (reason: string) =>
    context.security.record('staff_decision', { staff: author.staff, memberNumber: member, reason });
  if (refund) {
    await makeRefund(refund, correction, author, context);
    record('payment_refunded');
  }
  if (!changes) return;
  const entry = await appendEntry(plan, author, context);
  const at = context.clock();
  await changeMemberships(context, [member], correcting(entry, correction, at), at);
  record('membership_corrected');
}

/** The currency of a correction, which moves no money: that of the member's last entry. */
async function currencyOf(member: number, { ledger }: Context): Promise<string> {
  return (await ledger.of(member)).at(-1)?.currency ?? 'USD';
}
