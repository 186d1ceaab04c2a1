import { always, type MayGoOn } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { settlePayment, type Paying } from './settle-payment.ts';

const batch = 100;
const minute = 60_000;

/**
 * Takes up payments that stayed open: a process that ended on the way, a provider that could not be reached or had not
 * decided, as long as it may go on. Returns how many are settled now.
 */
export async function resumePayments(
  paying: Paying,
  logger: Logger,
  at: Date,
  mayGoOn: MayGoOn = always,
): Promise<number> {
  const waiting = await paying.payments.findWaiting(at, batch);
  let settled = 0;
  for (const { key } of waiting) {
    if (!(await mayGoOn())) break;
    // Those before it may have taken long: by now it can be decided, or its member erased.
    const payment = await paying.payments.lookAgain(key, new Date(at.getTime() + minute));
    if (!payment) continue;
    try {
      const { state } = await settlePayment(payment, paying);
      if (state !== 'open') settled += 1;
    } catch (error) {
      logger.warn({ err: error }, 'a payment could not be settled, trying again');
    }
  }
  return settled;
}
