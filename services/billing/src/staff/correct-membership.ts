import { endpoint } from '@covalence/http/endpoint';
import { createHash, randomUUID } from 'node:crypto';
import type { BillingContext } from '../context.ts';
import { changeMemberships } from '../memberships/change-memberships.ts';
import type { LedgerEntry } from '../ledger/ledger-store.ts';
import { corrected, type Membership } from '../memberships/membership.ts';
import { showMembership } from '../memberships/show-membership.ts';
import { applyCharge } from '../memberships/settle-payment.ts';
import {
  changesMembership,
  checkChange,
  correctionParameters,
  correctionRefusals,
  isLineOf,
  packageOf,
  refusal,
  type Correction,
} from './check-correction.ts';
import { forSupport, membershipReport, reportOf } from './membership-report.ts';

/**
 * Refunds a payment in full; 403 if the member has no such paid payment, it was free, or its provider is unlisted. The reason is stored
 * first, because the provider's webhook may arrive before its response.
 */
async function refund(key: string, { member, reason }: Correction, staff: string, context: BillingContext) {
  const { payments, providers } = context;
  const payment = await payments.find(key);
  if (payment?.member !== member) throw refusal('payment');
  if (!payment.amount) throw refusal('unpaid');
  const provider = providers.find(payment.provider);
  if (!provider) throw refusal('provider');
  const paid = await provider.find(key);
  if (paid?.status !== 'paid') throw refusal('unpaid');
  if (!paid.refunded) await payments.noteRefund(key, { staff, reason });
  const refunded = await provider.refund(key);
  if (!refunded) throw refusal('unpaid');
  await applyCharge(payment, refunded, context);
}

/** Finds or appends the ledger entry of a correction. */
async function entryOf(
  id: string,
  correction: Correction,
  staff: string,
  context: BillingContext,
): Promise<LedgerEntry> {
  const { member, reason } = correction;
  const standing = await context.ledger.find(id);
  if (standing) return standing;
  const current = await context.memberships.find(member);
  const at = context.clock();
  const rate_id = correction.rate_id ?? current?.rate_id;
  const package_id = correction.rate_id ? packageOf(context, rate_id) : current?.package_id;
  const expires_at = correction.expires_at === 'now' ? at : (correction.expires_at ?? current?.expires_at);
  if (!rate_id || !package_id || !expires_at) throw refusal('noMembership');
  const autorenew = correction.autorenew ?? current?.autorenew ?? false;
  const facts = { member, package_id, rate_id, expires_at, autorenew, at, staff, reason };
  const entry = {
    id,
    kind: 'correction' as const,
    amount: 0,
    currency: await currencyOf(member, context),
    ...facts,
  };
  // Of two concurrent corrections the first one counts.
  return (await context.ledger.append(entry)) ? entry : ((await context.ledger.find(id)) ?? entry);
}

/** The id of a correction's ledger entry, derived from the Idempotency-Key if there is one. */
const lineIdOf = ({ member }: Correction, key: string | undefined): string => {
  const name = key === undefined ? randomUUID() : createHash('sha256').update(key).digest('base64url');
  return `${member}:correction:${name}`;
};

/** The current values of unnamed fields: a renewal may have been paid since the entry was appended. */
const unnamed = (found: Membership | undefined, { expires_at, autorenew, rate_id }: Correction) =>
  found && {
    ...(expires_at === undefined && { expires_at: found.expires_at }),
    ...(autorenew === undefined && { autorenew: found.autorenew }),
    ...(rate_id === undefined && { package_id: found.package_id, rate_id: found.rate_id }),
  };

/**
 * Appends the ledger entry with the reason, then changes the membership. A repeated correction with the same key completes an
 * interrupted one; a different one is refused.
 */
async function correct(id: string, correction: Correction, staff: string, context: BillingContext) {
  const { member } = correction;
  const entry = await entryOf(id, correction, staff, context);
  const { package_id, rate_id, expires_at, autorenew } = entry;
  if (!expires_at || autorenew === undefined || !isLineOf(entry, correction)) throw refusal('key');
  const facts = { member, package_id, rate_id, expires_at, autorenew };
  const at = context.clock();
  await changeMemberships(
    context,
    [member],
    (_member, found) => corrected(found, { ...facts, ...unnamed(found, correction) }, id, at),
    at,
  );
}

/** Sets end, renewal or rate, or refunds a payment. The ledger has reason and author. A refusal names its reason. */
export const correctMembership = endpoint({
  access: 'staff',
  staff: forSupport,
  tag: 'Staff',
  operationId: 'correctMembership',
  summary: 'Correct the membership of a member',
  description:
    'Sets the end, the renewal or the rate, or refunds a payment; the ledger keeps the reason. The `fail` text of a refusal says why: no reason, nothing to correct, an unknown member, rate or payment, an end that is past or more than two years ahead, a member without a membership where the end or the rate is missing, an Idempotency-Key of another correction, a payment that cannot be refunded.',
  answer: 'The membership and its ledger after the correction.',
  example: { request: { member: 1002, reason: 'Double charge', autorenew: false } },
  refusals: Object.values(correctionRefusals),
  input: correctionParameters,
  output: membershipReport,
  async handler({ input: { reason, ...asked }, caller, idempotencyKey }, context: BillingContext) {
    if (!reason) throw refusal('reason');
    const correction: Correction = { ...asked, reason };
    const { member, refund: key } = correction;
    const changes = changesMembership(correction);
    if (!changes && key === undefined) throw refusal('nothing');
    const line = lineIdOf(correction, idempotencyKey);
    const staff = caller.memberId;
    if (changes) await checkChange(correction, await context.ledger.find(line), context);
    if (key !== undefined) {
      await refund(key, correction, staff, context);
      context.security.record('staff_decision', { staff, memberNumber: member, reason: 'payment_refunded' });
    }
    if (changes) {
      await correct(line, correction, staff, context);
      context.security.record('staff_decision', {
        staff,
        memberNumber: member,
        reason: 'membership_corrected',
      });
    }
    await showMembership(await context.memberships.find(member), context);
    return reportOf(member, context);
  },
});

/** The currency of a correction, which moves no money: that of the member's last entry. */
async function currencyOf(member: number, { ledger }: BillingContext): Promise<string> {
  return (await ledger.of(member)).at(-1)?.currency ?? 'USD';
}
