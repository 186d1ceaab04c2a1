import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { replacing } from '../harness.ts';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';

let billing: AppStoreBilling;
beforeAll(async () => {
  billing = await startWithAppStore('interrupted');
});
afterAll(() => billing.closeAll());

const lost = () => Promise.reject(new Error('the process ended here'));

/** Ends the work at a step: before it, or after it was stored. The first answer about a subscription has a step of its own. */
const steps = {
  'before the store is asked': () => ({
    target: billing.context.subscriptions,
    names: ['question'],
    isDone: false,
  }),
  'before the answer is stored': () => ({
    target: billing.context.subscriptions,
    names: ['create', 'answer'],
    isDone: false,
  }),
  'after the answer is stored': () => ({
    target: billing.context.subscriptions,
    names: ['create', 'answer'],
    isDone: true,
  }),
  'before a charge is booked': () => ({ target: billing.context.ledger, names: ['append'], isDone: false }),
  'after a charge is booked': () => ({ target: billing.context.ledger, names: ['append'], isDone: true }),
  'before the membership is changed': () => ({
    target: billing.context.memberships,
    names: ['write'],
    isDone: false,
  }),
  'after the membership is changed': () => ({
    target: billing.context.memberships,
    names: ['write'],
    isDone: true,
  }),
  'before the next look is set': () => ({
    target: billing.context.subscriptions,
    names: ['settle'],
    isDone: false,
  }),
} as const;

/** Does something with a process that ends at a step. */
async function endingAt(step: keyof typeof steps, work: () => Promise<unknown>): Promise<void> {
  const { target, names, isDone } = steps[step]();
  const own = target as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const ends = (before: typeof own) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        async (...args: unknown[]) => {
          if (isDone) await before[name]?.(...args);
          return lost();
        },
      ]),
    );
  await replacing(own, ends, async () => void (await work()));
}

let members = 100;

describe('a process that ends', () => {
  it.each(Object.keys(steps) as (keyof typeof steps)[])(
    '%s loses nothing and books nothing twice',
    async (step) => {
      const member = (members += 1);
      billing.time.now = new Date('2026-06-15T12:00:00Z');
      const original = await billing.buy(member);
      const receipt = await billing.store.receipt(original);
      await endingAt(step, async () =>
        expect((await billing.purchase(member, receipt)).status).toBeGreaterThan(499),
      );
      // The app hands the receipt in again, as StoreKit does for each transaction that is not finished.
      expect((await billing.purchase(member, receipt)).status).toBe(200);
      expect((await billing.own(member)).history).toHaveLength(1);

      await billing.store.refund(original);
      await endingAt(step, async () => expect((await billing.deliver()).status).toBeGreaterThan(499));
      // Nobody repeats the notification: the job asks again.
      await billing.moveTo('2026-06-16T12:00:01Z');
      const { membership_status, history } = await billing.own(member);
      expect(membership_status).toBe('none');
      expect(history.map(({ amount }: { amount: number }) => amount)).toEqual([-29.99, 29.99]);
    },
  );
});
