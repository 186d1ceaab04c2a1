import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { settlePayment, type Paying } from './settle-payment.ts';

const batch = 100;
const minute = 60_000;

/** The result of a round of the job. */
export interface Looked {
  readonly done: number;
  readonly failed: number;
}

/** Settles open payments, whose process crashed or whose provider was unavailable or undecided, while it may go on. */
export async function resumePayments(
  paying: Paying,
  logger: Logger,
  at: Date,
  mayGoOn: MayGoOn = always,
): Promise<Looked> {
  let done = 0;
  const failed = await eachPart(
    await paying.payments.findWaiting(at, batch, paying.providers.names),
    async ({ key }) => {
      // Earlier payments may have taken long: this one may be settled, or its member erased.
      const payment = await paying.payments.lookAgain(key, new Date(at.getTime() + minute));
      if (payment && (await settlePayment(payment, paying)).state !== 'open') done += 1;
    },
    { mayGoOn, logger, left: 'a payment could not be settled, trying again' },
  );
  return { done, failed };
}
