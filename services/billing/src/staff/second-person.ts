import type { refundRequest } from '@covalence/contract/peers/approvals-api';
import { dayMs } from '@covalence/contract/time';
import type { z } from 'zod';
import type { SubscriptionsContext as Context } from '../subscriptions/subscriptions.ts';
import type { Payment } from '../payments/payment-store.ts';
import type { Correction } from './check-correction.ts';
import { isRefunded, type Plan } from './make-correction.ts';
import { siteOf } from './membership-report.ts';

/** Days in which refunds of a member count together, so that a large one is not made as several small ones. */
const togetherDays = 30;

/** A payment with all others of its member and currency whose refund staff asked for within 30 days, in minor units. */
async function refundedWith(payment: Payment, { payments, clock }: Context): Promise<number> {
  const { key, member, currency } = payment;
  const since = new Date(clock().getTime() - togetherDays * dayMs);
  return (await payments.of(member))
    .filter((each) => each.currency === currency)
    .filter(({ key: other, refund_asked_at: at }) => other === key || (at !== undefined && at > since))
    .reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * Whether a correction needs a second person: its refund is above the limit of the member's site, or above the limit of any site, for
 * a deleted member.
 */
export async function needsSecondPerson(
  { correction: { member }, refund }: Plan,
  context: Context,
): Promise<boolean> {
  const { sites } = context;
  const isUsed = [...sites.values()].some(({ second_person: { refunds_above } }) => refunds_above);
  if (!refund || isRefunded(refund) || !isUsed) return false;
  const { currency } = refund.payment;
  const siteid = await siteOf(member, context);
  const total = await refundedWith(refund.payment, context);
  return [...sites.values()].some(
    ({ siteid: each, second_person: { refunds_above } }) =>
      refunds_above && (siteid === undefined || each === siteid) && total > (refunds_above[currency] ?? 0),
  );
}

/** The same before the refund is made: it counts from here on, so that of several at once each sees the others. */
export async function asksSecondPerson(plan: Plan, context: Context): Promise<boolean> {
  const { refund } = plan;
  if (refund) await context.payments.noteRefundAsked(refund.payment.key, context.clock());
  return needsSecondPerson(plan, context);
}

/** A correction as profile keeps it until a second person approves. */
export function requestOf(
  correction: Correction,
  refund: string,
  key: string | undefined,
): z.output<typeof refundRequest> {
  const { member, reason, expires_at, autorenew, rate_id } = correction;
  const end = expires_at === 'now' ? expires_at : expires_at?.toISOString();
  return {
    member,
    reason,
    refund,
    ...(end !== undefined && { expires_at: end }),
    ...(autorenew !== undefined && { autorenew }),
    ...(rate_id !== undefined && { rate_id }),
    ...(key !== undefined && { key }),
  };
}
