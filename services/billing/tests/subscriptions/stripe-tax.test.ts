import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWithStripe, type StripeBilling } from './stripe-harness.ts';

let billing: StripeBilling;
beforeAll(async () => {
  billing = await startWithStripe('stripe-tax', { config: { STRIPE_AUTOMATIC_TAX: true } });
});
afterAll(() => billing.closeAll());

describe('STRIPE_AUTOMATIC_TAX', () => {
  it('lets Stripe compute the tax in the price, by the address on the page, also without a customer', async () => {
    const known = billing.stripe.pages.get(await billing.page(1));
    expect(known?.session).toMatchObject({ automatic_tax: { enabled: true }, amount_total: 3_000 });
    billing.stripe.cancelNow(await billing.buy(1));
    for (const event of billing.stripe.events) await billing.deliver(event);
    const unknown = billing.stripe.pages.get(await billing.page(1, {}, { signedInAgo: 700 }));
    expect(unknown?.session).toMatchObject({ automatic_tax: { enabled: true }, customer: null });
  });

  it('sells nothing until Stripe Tax is set up', async () => {
    billing.stripe.tax.status = 'pending';
    expect((await billing.purchase(2)).status).toBe(503);
    billing.stripe.tax.status = 'active';
    expect((await billing.purchase(2)).status).toBe(200);
  });
});
