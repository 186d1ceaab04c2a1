import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startWithStripe, type StripeBilling } from './stripe-harness.ts';

let billing: StripeBilling;
beforeAll(async () => {
  billing = await startWithStripe('stripe-open-page');
});
beforeEach(() => {
  billing.time.now = new Date('2026-06-15T12:00:00Z');
});
afterAll(() => billing.closeAll());

/** What profile does when an account is deleted or suspended, or renewal is switched. */
const switchRenewal = (member: number, autorenew: boolean) =>
  billing.internal('/internal/memberships/renewal', { member, autorenew }).expect(200);
const cancel = (id: number) => billing.post('/packages/cancel', {}, { id });
const statusOf = (page: string) => billing.stripe.pages.get(page)?.session.status;
const renews = (subscription: string) =>
  billing.stripe.subscriptions.get(subscription)?.cancel_at_period_end === false;

describe('the end of renewal while a payment page is open', () => {
  it('closes the page, so that nobody who is suspended or has canceled pays on it', async () => {
    const [suspended, canceled] = [await billing.page(1), await billing.page(2)];
    await switchRenewal(1, false);
    expect((await cancel(2)).status).toBe(200);
    expect([statusOf(suspended), statusOf(canceled)]).toEqual(['expired', 'expired']);
    // The member can buy again, on another page; switching renewal on closes none.
    const next = await billing.page(2);
    expect(next).not.toBe(canceled);
    await switchRenewal(2, true);
    await billing.settleCustomers();
    expect(statusOf(next)).toBe('open');
  });

  it('ends the renewal of what was paid on it before its event arrived', async () => {
    const subscription = await billing.buy(3);
    await switchRenewal(3, false);
    expect(renews(subscription)).toBe(false);
    expect(await billing.own(3)).toMatchObject({ membership_status: 'active', autorenew: false });
  });

  it('is made up for when Stripe is back, and not if renewal was switched on meanwhile', async () => {
    const [open, wanted, again] = [await billing.page(4), await billing.page(5), await billing.page(6)];
    const paid = await billing.buy(7);
    billing.stripe.failWith('away');
    for (const member of [4, 5, 7]) await switchRenewal(member, false);
    await switchRenewal(5, true);
    expect((await cancel(6)).status).toBe(503);
    await billing.settleCustomers();
    billing.stripe.failWith();
    expect([open, wanted, again].map(statusOf)).toEqual(['open', 'open', 'open']);
    // Who buys after the cancellation gets a page of which nothing is left to do.
    const next = await billing.page(6);
    await billing.settleCustomers();
    expect([open, wanted, again, next].map(statusOf)).toEqual(['expired', 'open', 'expired', 'open']);
    await billing.moveTo('2026-06-15T12:01:01Z');
    expect(renews(paid)).toBe(false);
  });
});
