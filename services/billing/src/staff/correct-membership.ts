import { invalidArgument } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { changeMemberships } from '../memberships/change-memberships.ts';
import { statusOf } from '../memberships/membership.ts';
import { applyCharge } from '../payments/settle-payment.ts';
import { memberInPath, membershipReport, reportOf } from './membership-report.ts';

const flag = z.union([z.boolean(), z.stringbool()]);

const input = z
  .object({
    member: memberInPath,
    reason: z.string().trim().min(1).max(1_000),
    expires_at: z.iso.datetime().transform((text) => new Date(text)),
    autorenew: flag,
    rate_id: z.coerce.number().int().positive(),
    /** Key of the payment to give back, as the ledger has it. */
    refund: z.string().min(1),
  })
  .partial({ expires_at: true, autorenew: true, rate_id: true, refund: true });

type Correction = z.output<typeof input>;

/** Gives a payment back in full; 403 without code where there is no such paid payment of the member. */
async function refund(key: string, { member, reason }: Correction, staff: string, context: BillingContext) {
  const payment = await context.payments.find(key);
  if (payment?.member !== member) throw invalidArgument();
  const charge = await context.provider.refund(key);
  if (!charge) throw invalidArgument();
  await applyCharge(payment, charge, context, { staff, reason });
}

const packageOf = ({ packageData }: BillingContext, rate_id: number | undefined) =>
  packageData.packages.find(({ rates }) => rates.some((rate) => rate.rate_id === rate_id))?.package_id;

/** Sets what staff say, the reason first: no correction is without one. */
async function correct(correction: Correction, staff: string, currency: string, context: BillingContext) {
  const { member, reason } = correction;
  const at = context.clock();
  const current = await context.memberships.find(member);
  const rate_id = correction.rate_id ?? current?.rate_id;
  const package_id = correction.rate_id ? packageOf(context, rate_id) : current?.package_id;
  const expires_at = correction.expires_at ?? current?.expires_at;
  if (!rate_id || !package_id || !expires_at) throw invalidArgument();
  const autorenew = correction.autorenew ?? current?.autorenew ?? false;
  const facts = { member, package_id, rate_id, expires_at, autorenew };
  const id = `${member}:correction:${randomUUID()}`;
  await context.ledger.append({ id, ...facts, kind: 'correction', amount: 0, currency, at, staff, reason });
  await changeMemberships(
    context,
    [member],
    (_member, found) => ({
      ...found,
      ...facts,
      started_at: found?.started_at ?? at,
      status: statusOf(facts, at),
      tried_at: null,
    }),
    at,
  );
}

/**
 * POST /staff/memberships/{member}/correct: sets the end, the renewal or the rate, or gives a payment back; the reason and
 * who gave it stand in the ledger. 403 without code: no reason, nothing to correct, an unknown rate or payment, a member
 * without a membership where the end or the rate is missing.
 */
export const correctMembership = endpoint({
  access: 'staff',
  summary: 'Corrects the membership of a member',
  input,
  output: membershipReport,
  async handler({ input: correction, caller }, context: BillingContext) {
    const { member, refund: key, expires_at, autorenew, rate_id } = correction;
    const corrects = expires_at !== undefined || autorenew !== undefined || rate_id !== undefined;
    if (!corrects && key === undefined) throw invalidArgument();
    if (key !== undefined) await refund(key, correction, caller.memberId, context);
    if (corrects) await correct(correction, caller.memberId, await currencyOf(member, context), context);
    return reportOf(member, context);
  },
});

/** Corrections move no money; their currency is the member's last one, so that a ledger stays in one. */
async function currencyOf(member: number, { ledger }: BillingContext): Promise<string> {
  return (await ledger.of(member)).at(-1)?.currency ?? 'USD';
}
