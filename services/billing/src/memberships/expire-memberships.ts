import { minuteMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { renewMembership } from './renew-membership.ts';
import { settlePayment, type PaymentContext } from './settle-payment.ts';
import { refreshMemberships } from './change-memberships.ts';
import { renewalTry, type Membership } from './membership.ts';

const batch = 200;
const paymentBatch = 100;
const atOnce = 10;

/** The result of a round of the job. */
interface RoundResult {
  readonly done: number;
  readonly failed: number;
}

/** Dependencies of the job. */
interface JobContext extends PaymentContext {
  readonly logger: Logger;
}

/** Settles open payments, whose process crashed or whose provider was unavailable or undecided, while it may go on. */
export async function resumePayments(
  context: JobContext,
  at: Date,
  mayGoOn: MayGoOn = always,
): Promise<RoundResult> {
  let done = 0;
  const failed = await eachPart(
    await context.payments.findWaiting(at, paymentBatch, context.providers.names),
    async ({ key }) => {
      // Earlier payments may have taken long: this one may be settled, or its member erased.
      const payment = await context.payments.lookAgain(key, new Date(at.getTime() + minuteMs));
      if (payment && (await settlePayment(payment, context)).state !== 'open') done += 1;
    },
    { mayGoOn, logger: context.logger, left: 'settling a payment failed: will retry' },
  );
  return { done, failed };
}

/**
 * Renews memberships that are due and sets the others to `inactive` or `none`, while it may go on. Safe to run concurrently: a renewal
 * is one payment by its key, and changes are compare-and-set.
 */
export async function expireMemberships(
  context: JobContext,
  at: Date,
  mayGoOn: MayGoOn = always,
): Promise<RoundResult> {
  const left = 'renewing a membership failed: will retry';
  const options = { mayGoOn, atOnce, logger: context.logger, left };
  let [done, failed] = [0, 0];
  const renew = async (membership: Membership) => {
    await renewMembership(membership, context, at);
    done += 1;
  };
  for (;;) {
    const before = done;
    const found = await context.memberships.findDue(at, batch);
    const renews = (membership: Membership) => renewalTry(membership, at) !== undefined;
    const ending = found.filter((one) => !renews(one)).map(({ member }) => member);
    done += await refreshMemberships(context, ending, at);
    failed += await eachPart(found.filter(renews), renew, options);
    // After a round without success, wait for the next interval.
    if (found.length < batch || done === before || !(await mayGoOn())) return { done, failed };
  }
}

/** A round of the expiry job: settles open payments, and renews and ends memberships that are due. Resolves with the number of failures. */
export async function endDue(context: JobContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { clock, logger } = context;
  const settled = await resumePayments(context, clock(), mayGoOn);
  const due = await expireMemberships(context, clock(), mayGoOn);
  if (settled.done || due.done)
    logger.info(
      { settled: settled.done, due: due.done },
      'settled payments, and renewed or ended memberships',
    );
  return settled.failed + due.failed;
}
