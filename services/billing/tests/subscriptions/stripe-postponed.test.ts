import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { imported } from '../harness.ts';
import { startPlay } from './google-play-harness.ts';
import { startWithStripe, type StripeBilling } from './stripe-harness.ts';

const clock = { now: new Date() };
let google: Awaited<ReturnType<typeof startPlay>>;
let billing: StripeBilling;
beforeAll(async () => {
  google = await startPlay(() => clock.now);
  const config = {
    ...google.settings,
    PAYMENT_PROVIDERS: ['google_play' as const, 'stripe' as const],
    GOOGLE_PLAY_APPS: [{ ...google.play.app, test_purchases: true }],
  };
  billing = await startWithStripe('stripe-postponed', { config, clock });
});
beforeEach(() => {
  clock.now = new Date('2026-06-15T12:00:00Z');
});
afterAll(async () => {
  await billing.closeAll();
  await google.play.close();
});

const staff = { id: 0, siteid: 0, scope: 'staff' };
let members = 100;
const none = ['none', false, null, null];

/** Delivers the last notification of Google Play. */
async function deliverPlay() {
  const notice = google.play.notices.at(-1);
  if (!notice) throw new Error('Google has reported nothing');
  const { authorization, body } = await google.play.pushOf(notice);
  await billing.notify('google_play', body).set('Authorization', authorization).expect(200);
}

/** A member who has paid for 90 days at Google Play without renewal, and has a subscription on the web that begins after them. */
async function withBoth(id: number) {
  const { account_token: account } = await billing.own(id);
  const token = google.play.buy({ product: 'android1.3', days: 90, account });
  await deliverPlay();
  google.play.cancel(token);
  await deliverPlay();
  const subscription = await billing.buy(id);
  await billing.deliver();
  return { token, subscription };
}

describe('a subscription on the web whose first payment is put off', () => {
  it('renews what was paid elsewhere, and is charged when that ends', async () => {
    const { subscription } = await withBoth(1);
    expect(await billing.seen(1)).toEqual(['active', true, '2026-09-13', 21]);
    expect(await billing.own(1)).toMatchObject({ store: { name: 'stripe' }, is_pending: false });
    expect((await billing.packages({}, { id: 1 })).body.can_purchase).toBe(false);
    expect((await billing.purchase(1)).body).toMatchObject({ status: 'paid', amount: 0, autorenew: true });
    await billing.moveTo('2026-09-13T12:00:01Z');
    expect(await billing.seen(1)).toEqual(['inactive', true, '2026-09-13', 11]);
    billing.stripe.renew(subscription);
    // The event is lost.
    await billing.moveTo('2026-09-13T12:05:02Z');
    expect(await billing.seen(1)).toEqual(['active', true, '2026-10-13', 11]);
    expect((await billing.booked(1))[0]).toEqual(['renewal', 30]);
  });

  it('gives no day of its own when the other store refunds, and none is left after it is canceled', async () => {
    const { token, subscription } = await withBoth(2);
    google.play.refund(token);
    await deliverPlay();
    const own = await billing.own(2);
    expect(own).toMatchObject({ membership_status: 'inactive', autorenew: true, entitlements: [] });
    billing.stripe.switchRenewal(subscription, false);
    await billing.deliver();
    expect(await billing.seen(2)).toEqual(none);
    expect(billing.stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    expect((await billing.packages({}, { id: 2 })).body.can_purchase).toBe(true);
  });

  it('ends at once when the member cancels; what was paid elsewhere stays', async () => {
    const { subscription } = await withBoth(3);
    const canceled = await billing.post('/packages/cancel', {}, { id: 3 });
    expect(canceled).toMatchObject({ status: 200, body: { membership_status: 'active', autorenew: false } });
    expect(billing.stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    expect(await billing.seen(3)).toEqual(['active', false, '2026-09-13', 21]);
    expect((await billing.packages({}, { id: 3 })).body.can_purchase).toBe(true);
  });

  it('does not bring back what staff have ended', async () => {
    await billing.import([imported(4, { autorenew: false })]).expect(200);
    await billing.buy(4);
    await billing.deliver();
    expect(await billing.seen(4)).toEqual(['active', true, '2026-07-01', 11]);
    const correction = { expires_at: 'now', reason: 'charged back' };
    const { status } = await billing.post('/staff/memberships/4/correct', correction, staff);
    expect(status).toBe(200);
    expect(await billing.own(4)).toMatchObject({ membership_status: 'inactive', entitlements: [] });
  });

  it.each([
    ['the other store renews again', (token: string) => google.play.restart(token)],
    [
      'something else is bought that renews',
      (token: string) => google.play.buy({ product: 'android1.1', days: 120, expired: token }),
    ],
    [
      'something else is bought for a shorter time',
      (_token: string, account: string) => google.play.buy({ product: 'android1.1', days: 20, account }),
    ],
  ])('ends when %s: nobody pays twice', async (_case, act) => {
    const member = (members += 1);
    const { token, subscription } = await withBoth(member);
    act(token, (await billing.own(member)).account_token);
    await deliverPlay();
    const shown = { membership_status: 'active', autorenew: true, store: { name: 'google_play' } };
    expect(await billing.own(member)).toMatchObject(shown);
    await billing.moveTo('2026-06-15T12:00:01Z');
    expect(billing.stripe.subscriptions.get(subscription)?.status).toBe('canceled');
    expect(await billing.own(member)).toMatchObject(shown);
  });

  it('is kept where the other store renews no more by the time Stripe can be reached', async () => {
    const { token, subscription } = await withBoth(8);
    google.play.restart(token);
    await deliverPlay();
    billing.stripe.failWith('internal');
    await billing.moveTo('2026-06-15T12:00:01Z');
    google.play.cancel(token);
    await deliverPlay();
    billing.stripe.failWith();
    await billing.moveTo('2026-06-15T12:02:02Z');
    expect(billing.stripe.subscriptions.get(subscription)?.status).toBe('trialing');
    expect(await billing.seen(8)).toEqual(['active', true, '2026-09-13', 21]);
  });

  it('is not renewed once it has begun where something is bought elsewhere that renews', async () => {
    const { token, subscription } = await withBoth(9);
    clock.now = new Date('2026-09-13T12:00:01Z');
    google.play.expire(token);
    await deliverPlay();
    billing.stripe.renew(subscription);
    await billing.deliver();
    expect(await billing.seen(9)).toEqual(['active', true, '2026-10-13', 11]);
    google.play.buy({ product: 'android1.1', days: 20, expired: token });
    await deliverPlay();
    await billing.moveTo('2026-09-13T12:00:02Z');
    const atStripe = billing.stripe.subscriptions.get(subscription);
    expect(atStripe).toMatchObject({ status: 'active', cancel_at_period_end: true });
    // The paid time stays; a subscription is ended at the store that renews it.
    expect(await billing.own(9)).toMatchObject({
      autorenew: true,
      expirationdate: '2026-10-13T12:00:01.000Z',
      store: { name: 'google_play' },
    });
    const canceled = await billing.post('/packages/cancel', {}, { id: 9 });
    expect(canceled.body).toEqual({ fail: 'Managed By Store' });
  });

  it('gives the days by which the operator has put it off further, and none before them', async () => {
    const { token, subscription } = await withBoth(5);
    billing.stripe.extendTrial(subscription, 30);
    await billing.deliver();
    expect(await billing.seen(5)).toEqual(['active', true, '2026-09-13', 21]);
    google.play.refund(token);
    await deliverPlay();
    expect(await billing.own(5)).toMatchObject({ membership_status: 'inactive', entitlements: [] });
    await billing.moveTo('2026-09-13T12:00:01Z');
    expect(await billing.seen(5)).toEqual(['active', true, '2026-10-13', 11]);
  });

  it.each([
    [
      'the member cancels',
      '2026-10-13',
      async (member: number) =>
        expect((await billing.post('/packages/cancel', {}, { id: member })).status).toBe(200),
    ],
    [
      'the operator lets it end within them',
      '2026-10-01',
      async (_member: number, subscription: string) => {
        billing.stripe.cancelAt(subscription, '2026-10-01T12:00:00Z');
        await billing.deliver();
      },
    ],
    [
      'the other store renews again',
      '2026-10-13',
      async (_member: number, _subscription: string, token: string) => {
        google.play.restart(token);
        await deliverPlay();
        await billing.moveTo('2026-06-15T12:00:01Z');
        google.play.cancel(token);
        await deliverPlay();
      },
    ],
  ])('still gives those days when %s', async (_case, end, act) => {
    const member = (members += 1);
    const { token, subscription } = await withBoth(member);
    billing.stripe.extendTrial(subscription, 30);
    await billing.deliver();
    await act(member, subscription, token);
    await billing.moveTo('2026-06-15T12:00:02Z');
    expect(billing.stripe.subscriptions.get(subscription)?.status).toBe('trialing');
    expect(await billing.seen(member)).toEqual(['active', false, '2026-09-13', 21]);
    await billing.moveTo('2026-09-13T12:00:01Z');
    expect(await billing.seen(member)).toEqual(['active', false, end, 11]);
  });

  it('leaves no page open beside a purchase in an app', async () => {
    const member = (members += 1);
    const { token, subscription } = await withBoth(member);
    billing.stripe.extendTrial(subscription, 30);
    await billing.post('/packages/cancel', {}, { id: member });
    const page = await billing.page(member);
    google.play.restart(token);
    await deliverPlay();
    await billing.settleCustomers();
    expect(billing.stripe.pages.get(page)?.session.status).toBe('expired');
  });

  it('goes on beside what a tester has bought in an app', async () => {
    const member = (members += 1);
    const subscription = await billing.buy(member);
    const live = billing.stripe.subscriptions.get(subscription);
    if (live) live.livemode = true;
    await billing.deliver();
    const { account_token: account } = await billing.own(member);
    google.play.buy({ product: 'android1.1', account, isTest: true });
    await deliverPlay();
    await billing.moveTo('2026-06-15T12:00:01Z');
    expect(live?.cancel_at_period_end).toBe(false);
  });

  it('goes on until the time at which the operator lets it end', async () => {
    const { subscription } = await withBoth(7);
    billing.stripe.cancelAt(subscription, '2026-10-13T12:00:00Z');
    await billing.deliver();
    expect(await billing.seen(7)).toEqual(['active', true, '2026-09-13', 21]);
    expect(billing.stripe.subscriptions.get(subscription)?.status).toBe('trialing');
    billing.time.now = new Date('2026-09-13T12:00:01Z');
    billing.stripe.renew(subscription);
    await billing.deliver();
    expect(await billing.seen(7)).toEqual(['active', false, '2026-10-13', 11]);
  });
});

describe('a trial that the operator gives at Stripe', () => {
  it('is a membership', async () => {
    const subscription = await billing.buy(6);
    billing.stripe.extendTrial(subscription, 30);
    await billing.deliver();
    expect(await billing.seen(6)).toEqual(['active', true, '2026-08-14', 11]);
  });
});
