import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';
import { endingAt, stepNames } from './interruptions.ts';

let billing: AppStoreBilling;
beforeAll(async () => {
  billing = await startWithAppStore('interrupted');
});
afterAll(() => billing.closeAll());

let members = 100;

describe('a process that ends', () => {
  it.each(stepNames)('%s loses nothing and books nothing twice', async (step) => {
    const member = (members += 1);
    billing.time.now = new Date('2026-06-15T12:00:00Z');
    const original = await billing.buy(member);
    const receipt = await billing.store.receipt(original);
    await endingAt(billing.context, step, async () =>
      expect((await billing.purchase(member, receipt)).status).toBeGreaterThan(499),
    );
    // The app hands the receipt in again, as StoreKit does for each transaction that is not finished.
    expect((await billing.purchase(member, receipt)).status).toBe(200);
    expect((await billing.own(member)).history).toHaveLength(1);

    await billing.store.refund(original);
    await endingAt(billing.context, step, async () =>
      expect((await billing.deliver()).status).toBeGreaterThan(499),
    );
    // Nobody repeats the notification: the job asks again.
    await billing.moveTo('2026-06-16T12:00:01Z');
    const { membership_status, history } = await billing.own(member);
    expect(membership_status).toBe('none');
    expect(history.map(({ amount }: { amount: number }) => amount)).toEqual([-29.99, 29.99]);
  });
});
