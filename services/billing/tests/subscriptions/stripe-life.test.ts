import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { half, startWithStripe, type StripeBilling } from './stripe-harness.ts';

let billing: StripeBilling;
beforeAll(async () => {
  billing = await startWithStripe('stripe-life');
});
afterAll(() => billing.closeAll());

const seen = (id: number) => billing.seen(id);
const none = ['none', false, null, null];

const booked = (id: number) => billing.booked(id);

const moveTo = (day: string) => void (billing.time.now = new Date(`${day}T12:00:00Z`));

/** A member with a subscription that began on June 15, 2026. */
const subscribed = async (id: number, body: object = {}): Promise<string> => {
  moveTo('2026-06-15');
  const subscription = await billing.buy(id, body);
  expect((await billing.deliver()).status).toBe(200);
  return subscription;
};

describe('an event of Stripe', () => {
  it('gives a member what was paid on the page, and books it', async () => {
    await subscribed(1);
    expect(await seen(1)).toEqual(['active', true, '2026-07-15', 11]);
    expect(await booked(1)).toEqual([['purchase', 30]]);
    expect((await billing.own(1)).store).toEqual({ name: 'stripe', manage_url: null });
  });

  it('follows renewal, smart retries, unpaid invoices, a pause, and the end', async () => {
    const subscription = await subscribed(2);
    const { stripe } = billing;
    const steps = [
      ['2026-07-15', () => stripe.renew(subscription), ['active', true, '2026-08-14', 11]],
      ['2026-08-14', () => stripe.failRenewal(subscription), ['inactive', true, '2026-08-14', 11]],
      ['2026-08-20', () => stripe.renew(subscription), ['active', true, '2026-09-13', 11]],
      ['2026-09-13', () => stripe.failRenewal(subscription), ['inactive', true, '2026-09-13', 11]],
      ['2026-10-05', () => stripe.giveUp(subscription), ['inactive', true, '2026-09-13', 11]],
      ['2026-10-06', () => stripe.renew(subscription), ['active', true, '2026-10-13', 11]],
      ['2026-10-07', () => stripe.pause(subscription), ['active', true, '2026-10-13', 11]],
      ['2026-10-08', () => stripe.pause(subscription, false), ['active', true, '2026-10-13', 11]],
      ['2026-10-09', () => stripe.switchRenewal(subscription, false), ['active', false, '2026-10-13', 11]],
      ['2026-10-10', () => stripe.switchRenewal(subscription, true), ['active', true, '2026-10-13', 11]],
      ['2026-10-11', () => stripe.cancelNow(subscription), none],
    ] as const;
    for (const [day, act, expected] of steps) {
      moveTo(day);
      act();
      expect((await billing.deliver()).status).toBe(200);
      expect([day, ...(await seen(2))]).toEqual([day, ...expected]);
    }
    expect(await booked(2)).toHaveLength(4);
  });

  it('upgrades at once with proration, and takes both amounts from Stripe', async () => {
    const subscription = await subscribed(3);
    moveTo('2026-06-30');
    billing.stripe.change(subscription, half);
    await billing.deliver();
    expect(await seen(3)).toEqual(['active', true, '2026-12-27', 31]);
    expect(await booked(3)).toEqual([
      ['renewal', 75],
      ['purchase', 30],
    ]);
  });

  it('shows the change that waits for the next renewal, or for its payment, until it comes', async () => {
    const [planned, awaited] = [await subscribed(23), await subscribed(24)];
    const next = async (id: number) => (await billing.own(id)).next_package;
    expect(await next(23)).toBeNull();
    billing.stripe.schedule(planned, half);
    await billing.deliver();
    billing.stripe.await(awaited, half);
    await billing.deliver();
    const expected = { package_id: 3, rate_id: 31, name: '6 months' };
    expect([await next(23), await next(24)]).toEqual([expected, expected]);
    expect(await seen(23)).toEqual(['active', true, '2026-07-15', 11]);
    // A plan that is given up is gone, as is one of a subscription that ends.
    billing.stripe.schedule(planned);
    await billing.deliver();
    billing.stripe.switchRenewal(awaited, false);
    await billing.deliver();
    expect([await next(23), await next(24)]).toEqual([null, null]);
  });

  it('gives nothing before the bank has paid, and ends what it refuses to pay', async () => {
    moveTo('2026-06-15');
    const [good, bad] = [await billing.page(4), await billing.page(5)].map((page) =>
      billing.stripe.complete(page, true),
    );
    for (const event of billing.stripe.events.slice(-4)) await billing.deliver(event);
    expect(await seen(4)).toEqual(none);
    expect((await billing.own(4)).is_pending).toBe(true);
    // A second payment could come through as well as the first.
    expect((await billing.purchase(4, { package_id: 3, rate_id: 31 })).body).toEqual({
      fail: 'Payment Pending',
    });
    expect((await billing.purchase(4)).body).toMatchObject({ status: 'pending' });
    moveTo('2026-06-20');
    billing.stripe.bank(good ?? '', true);
    await billing.deliver();
    expect(await seen(4)).toEqual(['active', true, '2026-07-15', 11]);
    billing.stripe.bank(bad ?? '', false);
    await billing.deliver();
    expect(await seen(5)).toEqual(none);
    expect(await booked(5)).toEqual([]);
    // Nothing is tried again, and another purchase is possible at once.
    expect(billing.stripe.subscriptions.get(bad ?? '')?.status).toBe('canceled');
    expect((await billing.own(5)).is_pending).toBe(false);
    expect((await billing.purchase(5)).body).toMatchObject({ checkout_url: expect.any(String) });
  });

  it('about a card that was declined on the page leaves the page open', async () => {
    moveTo('2026-06-15');
    const page = await billing.page(20);
    const subscription = billing.stripe.decline(page);
    for (const event of billing.stripe.events.slice(-2)) await billing.deliver(event);
    expect(await seen(20)).toEqual(none);
    expect((await billing.own(20)).is_pending).toBe(false);
    expect(billing.stripe.subscriptions.get(subscription)?.status).toBe('incomplete');
    const again = await billing.purchase(20);
    expect(again.body).toMatchObject({
      status: 'pending',
      checkout_url: billing.stripe.pages.get(page)?.session.url,
    });
  });

  it('ends the membership when what paid most for its time is given back, not a difference', async () => {
    const [small, large] = [await subscribed(21), await subscribed(22)];
    moveTo('2026-06-30');
    for (const subscription of [small, large]) {
      billing.stripe.prorate(subscription, 100);
      await billing.deliver();
    }
    billing.stripe.refund(small);
    await billing.deliver();
    expect((await seen(21))[0]).toBe('active');
    billing.stripe.refundFirst(large);
    await billing.deliver();
    expect(await seen(22)).toEqual(none);
  });

  it('ends the membership at a refund and at a dispute, within the answer, and nothing is charged again', async () => {
    const { stripe } = billing;
    const [refunded, disputed] = [await subscribed(6), await subscribed(7)];
    moveTo('2026-06-20');
    stripe.refund(refunded, 1_000);
    await billing.deliver();
    expect((await seen(6))[0]).toBe('active');
    stripe.refund(refunded);
    await billing.deliver(stripe.events.findLast(({ type }) => type === 'charge.refunded'));
    expect(await seen(6)).toEqual(none);
    expect(await booked(6)).toEqual([
      ['refund', -20],
      ['refund', -10],
      ['purchase', 30],
    ]);
    stripe.dispute(disputed);
    await billing.deliver();
    expect(await seen(7)).toEqual(none);
    expect([refunded, disputed].map((id) => stripe.subscriptions.get(id)?.status)).toEqual([
      'canceled',
      'canceled',
    ]);
    stripe.dispute(disputed, 'won');
    await billing.deliver();
    expect(await booked(7)).toEqual([
      ['refund', 30],
      ['refund', -30],
      ['purchase', 30],
    ]);
    expect(await seen(7)).toEqual(none);
  });

  it('is 403 unless Stripe signed these bytes for this endpoint within five minutes', async () => {
    const subscription = await subscribed(8);
    billing.stripe.cancelNow(subscription);
    const { now } = billing.time;
    expect((await billing.deliver(undefined, { secret: 'whsec_of.somebody.else' })).status).toBe(403);
    const old = new Date(now.getTime() - 301_000);
    expect((await billing.deliver(undefined, { at: old })).status).toBe(403);
    const { body, signature } = billing.stripe.posted(billing.stripe.events.at(-1));
    const post = (text: string, header?: string) =>
      billing.request
        .post('/packages/webhook/stripe')
        .set('Content-Type', 'application/json')
        .set(header === undefined ? {} : { 'Stripe-Signature': header })
        .send(text);
    const refusals = async () => {
      const { values } = await billing.context.metrics.storeAnswers.get();
      return values.find(({ labels }) => labels['outcome'] === 'refused')?.value;
    };
    const before = await refusals();
    await post(body).expect(403);
    await post(body.replace('\n', ''), signature).expect(403);
    await post(body, signature.replace('v1=', 'v0=')).expect(403);
    expect(await refusals()).toBe(Number(before) + 3);
    expect((await seen(8))[0]).toBe('active');
    // The secret of the endpoint before is still taken.
    await billing.deliver(undefined, { secret: 'whsec_ofTheEndpointBefore000' });
    expect(await seen(8)).toEqual(none);
  });

  it('changes nothing if it is about something else', async () => {
    billing.stripe.emit('payout.paid', { id: 'po_1', object: 'payout' });
    expect((await billing.deliver()).status).toBe(200);
    billing.stripe.emit('invoice.paid', { id: 'in_1', object: 'invoice', parent: null });
    expect((await billing.deliver()).status).toBe(200);
    billing.stripe.emit('charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: 'pi_of_a_shop' });
    expect((await billing.deliver()).status).toBe(200);
  });
});

describe('events that did not arrive', () => {
  it('are read from the list, so a purchase and a refund count all the same', async () => {
    moveTo('2026-06-15');
    const subscription = await billing.buy(11);
    await billing.missed();
    expect(await seen(11)).toEqual(['active', true, '2026-07-15', 11]);
    billing.stripe.refund(subscription);
    await billing.missed();
    expect(await seen(11)).toEqual(none);
  });
});
