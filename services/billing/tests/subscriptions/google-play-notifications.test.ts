import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startWithGooglePlay, type GooglePlayBilling } from './google-play-harness.ts';

let billing: GooglePlayBilling;
beforeAll(async () => {
  billing = await startWithGooglePlay('google-play-notifications');
});
beforeEach(() => {
  billing.moveClock('2026-06-15');
});
afterAll(() => billing.closeAll());

/** The documented types of notifications about subscriptions. */
const types = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 18, 19, 20, 22];
const version = '1.0';
/** A notification of the app about something. */
const about = (subject: object) => ({
  notification: { version, packageName: 'com.test', eventTimeMillis: '1781524800000', ...subject },
  token: '',
  at: 0,
});

let members = 100;

describe('a real-time developer notification', () => {
  it.each(types)('of type %i asks Google about the subscription', async (notificationType) => {
    const purchaseToken = await billing.buy((members += 1));
    const notification = { version, notificationType, purchaseToken };
    const { status } = await billing.deliver(about({ subscriptionNotification: notification }));
    expect([status, (await billing.seen(members))[0]]).toEqual([200, 'active']);
  });

  it.each([
    ['testNotification', { version }],
    ['oneTimeProductNotification', { version, notificationType: 1, sku: 'coins' }],
    ['pendingRefundReviewNotification', { orderId: 'GPA.3333-4137-0319-36762' }],
  ])('with a %s is taken and changes nothing', async (kind, content) => {
    const purchaseToken = await billing.buy((members += 1));
    const { status } = await billing.deliver(about({ [kind]: { ...content, purchaseToken } }));
    expect([status, (await billing.seen(members))[0]]).toEqual([200, 'none']);
  });
});

describe('a subscription of Google Play', () => {
  const quarter = { product: 'android1.3', days: 90, price: 5_997 };
  const active = ['active', true, '2026-09-13', 21];

  it('goes on until a deferred downgrade takes effect with its renewal', async () => {
    const member = (members += 1);
    const first = await billing.buy(member, quarter);
    await billing.deliver();
    billing.moveClock('2026-06-20');
    const second = billing.play.defer(first, 'android1.1');
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.seen(member)).toEqual(active);
    expect(await billing.booked(member)).toEqual([['purchase', 59.97]]);
    billing.moveClock('2026-09-13');
    billing.play.renew(second);
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.seen(member)).toEqual(['active', true, '2026-10-13', 11]);
    expect((await billing.booked(member)).map(([, amount]) => amount)).toEqual([29.99, 59.97]);
  });

  it('goes on after a partial refund, which Google does not report: it is booked within a day', async () => {
    const member = (members += 1);
    const token = await billing.buy(member, quarter);
    await billing.deliver();
    billing.play.refundPart(token, 1_000);
    await billing.moveTo('2026-06-16T12:00:01Z');
    billing.play.refundPart(token, 500);
    await billing.moveTo('2026-06-17T12:00:02Z');
    expect(await billing.seen(member)).toEqual(active);
    expect(await billing.booked(member)).toEqual([
      ['refund', -5],
      ['refund', -10],
      ['purchase', 59.97],
    ]);
    // All of it, before the notification is answered.
    billing.play.refund(token);
    expect((await billing.deliver()).status).toBe(200);
    expect(await billing.seen(member)).toEqual(['none', false, null, null]);
    expect((await billing.booked(member))[0]).toEqual(['refund', -44.97]);
    const shown = billing.profile.shown.findLast((one) => one.member === member);
    expect(shown?.membership).toMatchObject({ status: 'none', expires_at: null });
  });

  it('that was voided is found on every page of the list', async () => {
    const tokens: string[] = [];
    for (let count = 0; count < 5; count += 1) tokens.push(await billing.subscribed((members += 1)));
    for (const token of tokens) billing.play.refund(token);
    await billing.missed();
    const states = await Promise.all([0, 1, 2, 3, 4].map((back) => billing.seen(members - back)));
    expect(states.map(([status]) => status)).toEqual(['none', 'none', 'none', 'none', 'none']);
  });
});
