import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import { settlePayment, type Paying } from './settle-payment.ts';

const batch = 100;
const minute = 60_000;

/** What became of what a look found to be done. */
export interface Looked {
  readonly done: number;
  readonly failed: number;
}

/**
 * Takes up payments that stayed open: a process that ended on the way, a provider that could not be reached or had not
 * decided, as long as it may go on. `done` are those that are settled now.
 */
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
      // Those before it may have taken long: by now it can be decided, or its member erased.
      const payment = await paying.payments.lookAgain(key, new Date(at.getTime() + minute));
      if (payment && (await settlePayment(payment, paying)).state !== 'open') done += 1;
    },
    { mayGoOn, logger, left: 'a payment could not be settled, trying again' },
  );
  return { done, failed };
}
