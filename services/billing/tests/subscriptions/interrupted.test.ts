import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';
import { startWithGooglePlay, type GooglePlayBilling } from './google-play-harness.ts';
import { endingAt, endingAtCalls, stepNames } from './interruptions.ts';

let billing: AppStoreBilling;
let android: GooglePlayBilling;
beforeAll(async () => {
  billing = await startWithAppStore('interrupted');
  android = await startWithGooglePlay('play-interrupted');
});
beforeEach(() => {
  android.moveClock('2026-06-15');
});
afterAll(() => Promise.all([billing.closeAll(), android.closeAll()]));

let members = 100;

describe('a process that ends while it follows a subscription of the App Store', () => {
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

describe('a process that ends while it follows a subscription of Google Play', () => {
  it.each(stepNames)('%s loses nothing, books nothing twice, and acknowledges', async (step) => {
    const member = (members += 1);
    const token = await android.buy(member);
    await endingAt(android.context, step, async () =>
      expect((await android.purchase(member, token)).status).toBeGreaterThan(499),
    );
    // Pub/Sub repeats what was not answered 200.
    expect((await android.deliver()).status).toBe(200);
    expect(await android.booked(member)).toEqual([['purchase', 29.99]]);
    expect(android.play.acknowledged).toContain(token);

    android.play.refund(token);
    await endingAt(android.context, step, async () =>
      expect((await android.deliver()).status).toBeGreaterThan(499),
    );
    await android.moveTo('2026-06-16T12:00:01Z');
    expect((await android.seen(member))[0]).toBe('none');
    expect((await android.booked(member)).map(([, amount]) => amount)).toEqual([-29.99, 29.99]);
  });

  it.each([false, true])(
    'as it acknowledges (%s: after Google has it) does so in the end',
    async (isDone) => {
      const member = (members += 1);
      const token = await android.buy(member);
      const store = android.context.stores.find('google_play') ?? {};
      await endingAtCalls(store, ['finish'], isDone, async () =>
        expect((await android.purchase(member, token)).status).toBe(200),
      );
      expect(android.play.acknowledged.includes(token)).toBe(isDone);
      await android.moveTo('2026-06-15T12:01:01Z');
      expect(android.play.acknowledged.filter((one) => one === token)).toHaveLength(1);
    },
  );
});

describe('an acknowledgement that fails', () => {
  it.each(['away', 'slow', 'lost', 'quota', 'unauthorized', 'internal'] as const)(
    '(%s) gives the membership, and is repeated until Google has it',
    async (fault) => {
      const member = (members += 1);
      const token = await android.buy(member);
      android.play.failWith(fault, ':acknowledge');
      expect((await android.purchase(member, token)).status).toBe(200);
      expect((await android.seen(member))[0]).toBe('active');
      await android.moveTo('2026-06-15T12:01:01Z');
      android.play.failWith(undefined);
      await android.moveTo('2026-06-15T12:02:02Z');
      expect(android.play.acknowledged).toContain(token);
      expect(await android.booked(member)).toHaveLength(1);
    },
  );
});
