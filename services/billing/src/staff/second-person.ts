import type { refundRequest } from '@covalence/contract/internal/approvals-api';
import type { z } from 'zod';
import type { BillingContext } from '../context.ts';
import type { Correction } from './check-correction.ts';
import type { Plan } from './make-correction.ts';
import { siteOf } from './membership-report.ts';

/** Days in which refunds of a member count together, so that a large one is not made as several small ones. */
const togetherDays = 30;
const dayMs = 86_400_000;

/** What staff have refunded a member lately, in minor units of a currency. */
async function refundedLately(member: number, currency: string, { ledger, clock }: BillingContext) {
  const since = new Date(clock().getTime() - togetherDays * dayMs);
  return (await ledger.of(member))
    .filter((line) => line.kind === 'refund' && line.staff !== undefined && line.at > since)
    .filter((line) => line.currency === currency)
    .reduce((sum, { amount }) => sum - amount, 0);
}

/** Whether a correction needs a second person: its refund is above the limit of the member's site, or of any site for a deleted member. */
export async function needsSecondPerson(
  { correction: { member }, refund }: Plan,
  context: BillingContext,
): Promise<boolean> {
  const { sites } = context;
  const isUsed = [...sites.values()].some(({ second_person: { refunds_above } }) => refunds_above);
  if (!refund || refund.charge.refunded > 0 || !isUsed) return false;
  const { amount, currency } = refund.payment;
  const siteid = await siteOf(member, context);
  const total = amount + (await refundedLately(member, currency, context));
  return [...sites.values()].some(
    ({ siteid: each, second_person: { refunds_above } }) =>
      refunds_above && (siteid === undefined || each === siteid) && total > (refunds_above[currency] ?? 0),
  );
}

/** A correction as profile keeps it until a second person approves. */
export function requestOf(correction: Correction, refund: string): z.output<typeof refundRequest> {
  const { member, reason, expires_at, autorenew, rate_id } = correction;
  const end = expires_at === 'now' ? expires_at : expires_at?.toISOString();
  return {
    member,
    reason,
    refund,
    ...(end !== undefined && { expires_at: end }),
    ...(autorenew !== undefined && { autorenew }),
    ...(rate_id !== undefined && { rate_id }),
  };
}
