import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { imported, replacing } from '../harness.ts';
import { startWithStripe, type StripeBilling } from './stripe-harness.ts';

let billing: StripeBilling;
beforeAll(async () => {
  billing = await startWithStripe('stripe-open-page');
});
beforeEach(() => {
  billing.time.now = new Date('2026-06-15T12:00:00Z');
});
afterAll(() => billing.closeAll());

/** Acts as profile when an account is deleted or suspended, or renewal is switched. */
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
    // A page opened after the cancellation needs no work.
    const next = await billing.page(6);
    await billing.settleCustomers();
    expect([open, wanted, again, next].map(statusOf)).toEqual(['expired', 'open', 'expired', 'open']);
    await billing.moveTo('2026-06-15T12:01:01Z');
    expect(renews(paid)).toBe(false);
  });
});

describe('a payment page', () => {
  const half = { package_id: 3, rate_id: 31 };
  const notPossible = { status: 403, body: { fail: 'Purchase Not Possible' } };

  it('is good for about half an hour, and for the first payment that it was made with', async () => {
    const page = await billing.page(21);
    const session = billing.stripe.pages.get(page)?.session;
    const lives = Number(session?.['expires_at']) - Number(session?.['created']);
    expect(lives).toBeGreaterThanOrEqual(1_800);
    expect(lives).toBeLessThanOrEqual(2_400);
    // Days that the member got meanwhile are not paid twice.
    await billing.import([imported(21, { autorenew: false })]).expect(200);
    const next = await billing.page(21);
    expect(statusOf(page)).toBe('expired');
    expect(billing.stripe.pages.get(next)?.trialEnd).toBe(Date.parse('2026-07-01T00:00:00Z') / 1_000);
    expect(await billing.page(21)).toBe(next);
  });

  it('is refused while another subscription is still being charged, whatever is shown', async () => {
    const first = await billing.buy(22);
    await billing.deliver();
    billing.time.now = new Date('2026-07-15T12:00:00Z');
    billing.stripe.failRenewal(first);
    await billing.deliver();
    const granted = { started_at: '2026-07-01T00:00:00Z', expires_at: '2026-08-01T00:00:00Z' };
    await billing.import([imported(22, { ...granted, autorenew: false })]).expect(200);
    expect(await billing.own(22)).toMatchObject({ membership_status: 'active', autorenew: false });
    expect((await billing.packages({}, { id: 22 })).body.can_purchase).toBe(false);
    expect(await billing.purchase(22)).toMatchObject(notPossible);
    await cancel(22);
    expect((await billing.packages({}, { id: 22 })).body.can_purchase).toBe(true);
    expect((await billing.purchase(22)).status).toBe(200);
  });

  it('is waited for where a payment is in progress on it', async () => {
    const page = await billing.page(23);
    billing.stripe.inUse.add(page);
    const before = billing.stripe.calls.length;
    expect((await billing.purchase(23, half)).body).toEqual({ fail: 'Payment Pending' });
    expect(billing.stripe.calls.length - before).toBeLessThan(6);
    // It is closed as soon as it can be.
    await switchRenewal(23, false);
    expect(statusOf(page)).toBe('open');
    billing.stripe.inUse.clear();
    await billing.settleCustomers();
    expect(statusOf(page)).toBe('expired');
  });

  it('shows what a buyer entered before to a recent sign-in only, and the buyer stays one customer', async () => {
    const stale = { signedInAgo: 700 };
    const customerOf = (page: string) => billing.stripe.pages.get(page)?.session.customer;
    const takesCodes = (page: string) => billing.stripe.pages.get(page)?.session['allow_promotion_codes'];
    const first = await billing.page(24, {}, stale);
    const former = customerOf(first);
    expect(former).toEqual(expect.any(String));
    // Nobody has entered anything yet.
    expect(await billing.page(24)).toBe(first);
    billing.stripe.cancelNow(billing.stripe.complete(first));
    for (const event of billing.stripe.events.slice(-3)) await billing.deliver(event);
    const own = await billing.page(24);
    expect(customerOf(own)).toBe(former);
    const stolen = await billing.page(24, {}, stale);
    expect([statusOf(own), customerOf(stolen)]).toEqual(['expired', null]);
    // Codes for a first purchase would work for each new customer.
    expect([first, own, stolen].map(takesCodes)).toEqual([true, true, null]);
    const next = billing.stripe.complete(stolen);
    // The browser is back before the event.
    expect((await billing.purchase(24, {}, stale)).body.status).toBe('paid');
    await billing.deliver();
    expect((await billing.context.customers.find('stripe', 24))?.id).toBe(customerOf(stolen));
    billing.stripe.cancelNow(next);
    await billing.deliver();
    expect(customerOf(await billing.page(24))).toBe(customerOf(stolen));
    // A refund of what the former customer paid is followed.
    expect(await billing.context.customers.of(24)).toHaveLength(2);
  });

  it('is the same customer’s again after the first payment has failed', async () => {
    const stale = { signedInAgo: 700 };
    const first = await billing.page(25, {}, stale);
    billing.stripe.decline(first);
    await billing.deliver();
    billing.stripe.expire(first);
    const { size } = billing.stripe.customers;
    const next = billing.stripe.pages.get(await billing.page(25, {}, stale))?.session;
    expect(next?.customer).toBe(billing.stripe.pages.get(first)?.session.customer);
    expect(next?.['allow_promotion_codes']).toBe(true);
    expect(billing.stripe.customers.size).toBe(size);
  });

  it('shows nobody else what was entered for a debit that has failed', async () => {
    const stale = { signedInAgo: 700 };
    const customerOf = (page: string) => billing.stripe.pages.get(page)?.session.customer;
    const failed = async (member: number) => {
      const page = await billing.page(member, {}, stale);
      const subscription = billing.stripe.complete(page, true);
      await billing.deliver();
      billing.stripe.bank(subscription, false);
      await billing.deliver();
      return page;
    };
    const [first] = [await failed(26), await failed(27)];
    const stolen = [await billing.page(26, {}, stale), await billing.page(26, half, stale)];
    for (const member of [26, 27]) {
      await cancel(member);
      stolen.push(await billing.page(member, {}, stale));
    }
    expect(stolen.map(customerOf)).toEqual([null, null, null, null]);
    expect(customerOf(await billing.page(26))).toBe(customerOf(first));
  });

  it('belongs to nobody if the member is erased while it is made', async () => {
    const { memberships, accountTokens } = billing.context;
    const erase = { id: 7_000_031, member_id: '0190a000-0000-7000-8000-000000000001' };
    const erasing = (own: typeof memberships) => ({
      async find(member: number) {
        await billing.internal('/internal/members/erase', erase);
        return own.find(member);
      },
    });
    await replacing(memberships, erasing, async () =>
      expect((await billing.purchase(7_000_031)).status).toBe(403),
    );
    expect(await accountTokens.find(7_000_031)).toBeUndefined();
    await billing.settleCustomers();
    expect(statusOf([...billing.stripe.pages.keys()].at(-1) ?? '')).toBe('expired');
  });
});
