import { invalidArgument } from '@covalence/contract/failure';
import { keptText } from '@covalence/contract/kept-text';
import { booleanParameter, wholeNumber } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { changeMemberships } from '../memberships/change-memberships.ts';
import type { LedgerEntry } from '../ledger/ledger-store.ts';
import { corrected, type Membership } from '../memberships/membership.ts';
import { showMembership } from '../memberships/show-membership.ts';
import { applyCharge } from '../payments/settle-payment.ts';
import { memberInPath, membershipReport, reportOf } from './membership-report.ts';

const input = z
  .object({
    member: memberInPath,
    reason: keptText(1_000, 1),
    expires_at: z.iso.datetime().transform((text) => new Date(text)),
    autorenew: booleanParameter,
    rate_id: wholeNumber,
    /** Key of the payment to give back, as the ledger has it. */
    refund: z.string().min(1),
  })
  .partial({ expires_at: true, autorenew: true, rate_id: true, refund: true });

type Correction = z.output<typeof input>;

/**
 * Gives a payment back in full; 403 without code where there is no such paid payment of the member, or it was for nothing.
 * The reason is noted first: the provider's web-hook may be here before its answer.
 */
async function refund(key: string, { member, reason }: Correction, staff: string, context: BillingContext) {
  const { payments, provider } = context;
  const payment = await payments.find(key);
  if (payment?.member !== member || !payment.amount) throw invalidArgument();
  const paid = await provider.find(key);
  if (paid?.status !== 'paid') throw invalidArgument();
  if (!paid.refunded) await payments.noteRefund(key, { staff, reason });
  const refunded = await provider.refund(key);
  if (!refunded) throw invalidArgument();
  await applyCharge(payment, refunded, context);
}

const packageOf = ({ packageData }: BillingContext, rate_id: number | undefined) =>
  packageData.packages.find(({ rates }) => rates.some((rate) => rate.rate_id === rate_id))?.package_id;

/** The ledger's line of a correction: the one that stands there under this id, else a new one. */
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
  const rate_id = correction.rate_id ?? current?.rate_id;
  const package_id = correction.rate_id ? packageOf(context, rate_id) : current?.package_id;
  const expires_at = correction.expires_at ?? current?.expires_at;
  if (!rate_id || !package_id || !expires_at) throw invalidArgument();
  const autorenew = correction.autorenew ?? current?.autorenew ?? false;
  const at = context.clock();
  const facts = { member, package_id, rate_id, expires_at, autorenew, at, staff, reason };
  const entry = {
    id,
    kind: 'correction' as const,
    amount: 0,
    currency: await currencyOf(member, context),
    ...facts,
  };
  // Of two at once the first one counts.
  return (await context.ledger.append(entry)) ? entry : ((await context.ledger.find(id)) ?? entry);
}

/** Whether a line is of this very correction: what it names, and the reason. */
const isOf = (entry: LedgerEntry, { reason, expires_at, autorenew, rate_id }: Correction): boolean =>
  entry.reason === reason &&
  (expires_at === undefined || entry.expires_at?.getTime() === expires_at.getTime()) &&
  (autorenew === undefined || entry.autorenew === autorenew) &&
  (rate_id === undefined || entry.rate_id === rate_id);

/** The id of a correction's line: the same for a correction that comes again under its key. */
const lineIdOf = ({ member }: Correction, key: string | undefined): string => {
  const name = key === undefined ? randomUUID() : createHash('sha256').update(key).digest('base64url');
  return `${member}:correction:${name}`;
};

/** Refuses, before any money moves, a correction that names an unknown rate or comes under the key of another one. */
async function check(id: string, correction: Correction, context: BillingContext): Promise<void> {
  const standing = await context.ledger.find(id);
  const { rate_id } = correction;
  const isGood = standing ? isOf(standing, correction) : rate_id === undefined || packageOf(context, rate_id);
  if (!isGood) throw invalidArgument();
}

/** What a correction does not name stays as it is by now: a renewal may have been paid since its line was written. */
const unnamed = (found: Membership | undefined, { expires_at, autorenew, rate_id }: Correction) =>
  found && {
    ...(expires_at === undefined && { expires_at: found.expires_at }),
    ...(autorenew === undefined && { autorenew: found.autorenew }),
    ...(rate_id === undefined && { package_id: found.package_id, rate_id: found.rate_id }),
  };

/**
 * Sets what staff say, the reason first: no correction is without one. A correction that comes again under its key is
 * made once, also after a crash between its two steps; another one under that key is refused.
 */
async function correct(id: string, correction: Correction, staff: string, context: BillingContext) {
  const { member } = correction;
  const entry = await entryOf(id, correction, staff, context);
  const { package_id, rate_id, expires_at, autorenew } = entry;
  if (!expires_at || autorenew === undefined || !isOf(entry, correction)) throw invalidArgument();
  const facts = { member, package_id, rate_id, expires_at, autorenew };
  const at = context.clock();
  await changeMemberships(
    context,
    [member],
    (_member, found) => corrected(found, { ...facts, ...unnamed(found, correction) }, id, at),
    at,
  );
}

/**
 * POST /staff/memberships/{member}/correct: sets the end, the renewal or the rate, or gives a payment back; the reason and
 * who gave it stand in the ledger. 403 without code: no reason, nothing to correct, an unknown rate or payment, a member
 * without a membership where the end or the rate is missing, an Idempotency-Key of another correction.
 */
export const correctMembership = endpoint({
  access: 'staff',
  summary: 'Corrects the membership of a member',
  input,
  output: membershipReport,
  async handler({ input: correction, caller, idempotencyKey }, context: BillingContext) {
    const { member, refund: key, expires_at, autorenew, rate_id } = correction;
    const corrects = expires_at !== undefined || autorenew !== undefined || rate_id !== undefined;
    if (!corrects && key === undefined) throw invalidArgument();
    const line = lineIdOf(correction, idempotencyKey);
    if (corrects) await check(line, correction, context);
    if (key !== undefined) await refund(key, correction, caller.memberId, context);
    if (corrects) await correct(line, correction, caller.memberId, context);
    await showMembership(await context.memberships.find(member), context);
    return reportOf(member, context);
  },
});

/** Corrections move no money; their currency is the member's last one, so that a ledger stays in one. */
async function currencyOf(member: number, { ledger }: BillingContext): Promise<string> {
  return (await ledger.of(member)).at(-1)?.currency ?? 'USD';
}
