import type { StripeFault } from '@covalence/fakes/stripe';
import { createLogger } from '@covalence/runtime/logger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imported } from '../harness.ts';
import { startWithStripe, type StripeBilling } from './stripe-harness.ts';

const log: string[] = [];
let billing: StripeBilling;
beforeAll(async () => {
  const logger = createLogger('test', 'info', { write: (line: string) => void log.push(line) });
  billing = await startWithStripe('stripe-checkout', { overrides: { logger } });
});
afterAll(() => billing.closeAll());

const refused = { status: 403, body: { fail: 'Invalid Argument' } };
const notPossible = { status: 403, body: { fail: 'Purchase Not Possible' } };
const half = { package_id: 3, rate_id: 31 };
/** The pages of a member at Stripe. */
const pagesOf = async (id: number) => {
  const { body } = await billing.internal('/internal/members/export', {
    id,
    member_id: '0190a000-0000-7000-8000-000000000001',
  });
  const customers = body.customers.map((one: { id: string }) => one.id);
  return [...billing.stripe.pages.values()].filter(({ session }) => customers.includes(session['customer']));
};
const statusesOf = async (id: number) => (await pagesOf(id)).map(({ session }) => session.status);

describe('POST /packages/purchase on the web with Stripe', () => {
  it('sends the member to a page, and says what came of it when it is repeated', async () => {
    const first = await billing.purchase(1);
    const page = {
      status: 'pending',
      amount: 30,
      currency_code: 'USD',
      days: 30,
      membership_status: 'none',
      checkout_url: expect.stringMatching(/^https:\/\/checkout\.stripe\.com\//),
    };
    expect(first).toMatchObject({ status: 200, body: page });
    const again = await billing.purchase(1);
    expect(again.body.checkout_url).toBe(first.body.checkout_url);
    const [{ session } = { session: undefined }] = await pagesOf(1);
    expect(session).toMatchObject({
      mode: 'subscription',
      client_reference_id: (await billing.own(1)).account_token,
      success_url: 'https://app.example/paid',
      cancel_url: 'https://app.example/packages',
    });
    billing.stripe.complete(String(session?.id));
    // The browser is back before the event: the repeated call asks Stripe.
    const { body } = await billing.purchase(1);
    expect(body).toMatchObject({
      status: 'paid',
      amount: 30,
      membership_status: 'active',
      autorenew: true,
    });
    expect(body).not.toHaveProperty('checkout_url');
    expect((await billing.purchase(1)).body.status).toBe('paid');
    expect(await billing.purchase(1, half)).toMatchObject(notPossible);
    expect((await billing.own(1)).history).toHaveLength(1);
    expect(await pagesOf(1)).toHaveLength(1);
  });

  it('has one page at a time for a member, so nobody pays twice', async () => {
    await Promise.all([billing.purchase(2), billing.purchase(2), billing.purchase(2, half)]);
    expect((await statusesOf(2)).filter((status) => status === 'open')).toHaveLength(1);
    const last = await billing.page(2, half);
    expect((await statusesOf(2)).filter((status) => status === 'open')).toHaveLength(1);
    expect(billing.stripe.customers.size).toBe(2);
    // One more is paid while the member goes back to the other package.
    billing.stripe.complete(last);
    expect(await billing.purchase(2)).toMatchObject(notPossible);
    expect((await billing.own(2)).package.rate_id).toBe(31);
  });

  it('refuses addresses that are not of the client’s pages, and asks Stripe for nothing', async () => {
    const before = billing.stripe.calls.length;
    const addresses = [
      { success_url: 'https://app.example.evil.test/' },
      { cancel_url: 'https://evil.test/?https://app.example' },
      { success_url: 'javascript:alert(1)' },
      { success_url: 'blob:https://app.example/1' },
      { success_url: undefined },
      { cancel_url: '' },
    ];
    for (const wrong of addresses)
      expect([wrong, await billing.purchase(3, wrong)]).toMatchObject([wrong, refused]);
    // Promotion codes are typed on the page.
    expect(await billing.purchase(3, { promo_code: 'HALF' })).toMatchObject(refused);
    expect(await billing.purchase(3, { package_id: 3, rate_id: 32 })).toMatchObject(refused);
    expect(billing.stripe.calls).toHaveLength(before);
  });

  it('gives a page to nobody but the member whose token our call has put into the subscription', async () => {
    const victim = String((await billing.own(4)).account_token);
    const id = await billing.buy(5);
    // A link of the account takes any reference in its address, and the buyer may know the other’s token.
    const { session } = [...billing.stripe.pages.values()].at(-1) ?? {};
    billing.stripe.emit('checkout.session.completed', { ...session, client_reference_id: victim });
    expect((await billing.deliver()).status).toBe(200);
    expect((await billing.own(4)).membership_status).toBe('none');
    expect((await billing.own(5)).membership_status).toBe('active');
    // A receipt is nothing on the web, and another’s page is not handed in.
    const receipt = String(session?.id);
    expect((await billing.purchase(4, { receipt })).body.status).toBe('pending');
    expect((await billing.own(4)).membership_status).toBe('none');
    expect((await billing.context.subscriptions.findOf([5])).map(({ reference }) => reference)).toEqual([id]);
  });

  it('is 503 while Stripe is away or unwilling, logs no card and no address, and works afterwards', async () => {
    const faults: StripeFault[] = ['away', 'rate', 'lock', 'busy', 'internal', 'card'];
    for (const fault of faults) {
      billing.stripe.failWith(fault);
      expect([fault, (await billing.purchase(6)).status]).toEqual([fault, 503]);
      // Until then Stripe repeats an error of its own under the same key.
      billing.time.now = new Date(billing.time.now.getTime() + 300_000);
    }
    billing.stripe.failWith();
    expect((await billing.purchase(6)).status).toBe(200);
    const text = log.join('');
    expect(text).toContain('card_declined');
    for (const secret of ['jenny', '4242', billing.stripe.secretKey]) expect(text).not.toContain(secret);
  });

  it('makes one customer and one page when the answers are lost or late', async () => {
    const { size } = billing.stripe.customers;
    for (const fault of ['lost', 'slow', 'busy'] as const) {
      billing.stripe.failWith(fault, 1);
      expect((await billing.purchase(7)).status).toBe(200);
    }
    expect(billing.stripe.customers.size).toBe(size + 1);
    expect(await statusesOf(7)).toEqual(['open']);
    // The answer about the page itself is lost: the customer is there.
    const { calls } = billing.stripe;
    const before = calls.length;
    billing.stripe.expire(await billing.page(7));
    expect((await billing.purchase(7)).status).toBe(200);
    expect(calls.slice(before).filter((call) => call === 'POST customers')).toEqual([]);
  });

  it('begins when time from elsewhere ends, and keeps the discount of the offer', async () => {
    await billing.import([imported(8, { autorenew: false })]).expect(200);
    const page = await billing.page(8, { package_id: 2, rate_id: 21 });
    expect(billing.stripe.pages.get(page)?.trialEnd).toBe(Date.parse('2026-07-01T00:00:00Z') / 1_000);
    expect(billing.stripe.pages.get(page)?.coupon).toBe('WELCOME');
    billing.stripe.complete(page);
    await billing.deliver();
    const own = await billing.own(8);
    expect(own).toMatchObject({ membership_status: 'active', autorenew: true });
    expect(own.history).toMatchObject([{ kind: 'purchase', amount: 0 }]);
  });

  it('opens no page for another price than the member saw, and takes what was paid at it', async () => {
    const other = { expected_amount: 29.99, expected_currency: 'USD' };
    const changed = { status: 403, body: { fail: 'Price Changed' } };
    expect(await billing.purchase(11, other)).toMatchObject(changed);
    expect(await pagesOf(11)).toEqual([]);
    const page = await billing.page(11, { expected_amount: 30, expected_currency: 'USD' });
    expect(await billing.purchase(11, other)).toMatchObject(changed);
    billing.stripe.complete(page);
    expect((await billing.purchase(11, other)).body).toMatchObject({ status: 'paid', amount: 30 });
  });

  it('makes another customer where the operator has deleted the first one', async () => {
    const first = await billing.page(9);
    const customer = String(billing.stripe.pages.get(first)?.session['customer']);
    billing.stripe.forget(customer);
    billing.stripe.expire(first);
    const next = billing.stripe.pages.get(await billing.page(9));
    expect(next?.session['customer']).not.toBe(customer);
  });
});

describe('GET /packages on the web with Stripe', () => {
  it('lists what has a product there, without the products, and no promo code applies', async () => {
    const { body } = await billing.packages({ promo_code: 'HALF' }, { id: 10 });
    expect(body.packages.map(({ rate_id }: { rate_id: number }) => rate_id)).toEqual([31, 11, 21]);
    expect(body.packages[0]).toMatchObject({ amount: 90, promo_error: expect.any(String) });
    expect(body.packages[0]).not.toHaveProperty('app_product_id');
    expect(body.can_purchase).toBe(true);
  });
});
