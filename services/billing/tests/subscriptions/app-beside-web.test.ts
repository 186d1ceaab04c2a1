import { startStripe, type StripeAccount } from '@covalence/fakes/stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { clientOrigin } from '../harness.ts';
import { settleCustomers } from '../../src/subscriptions/watch-subscriptions.ts';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';

let billing: AppStoreBilling;
let stripe: StripeAccount;
beforeAll(async () => {
  stripe = await startStripe(() => billing.time.now, ['prod_month', 'prod_half']);
  billing = await startWithAppStore('app-beside-web', {
    PAYMENT_PROVIDERS: ['sandbox', 'app_store', 'stripe'],
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRETS: [stripe.webhookSecret],
    STRIPE_API_URL: stripe.url,
  });
});
beforeEach(() => {
  billing.time.now = new Date('2026-06-15T12:00:00Z');
});
afterAll(async () => {
  await billing.closeAll();
  await stripe.close();
});

const urls = { success_url: `${clientOrigin}/paid`, cancel_url: `${clientOrigin}/packages` };
/** A payment page on the web, which the member has not left. */
const page = async (id: number): Promise<string> => {
  const { body } = await billing.post('/packages/purchase', { package_id: 1, rate_id: 11, ...urls }, { id });
  return String(body.checkout_url).split('/').at(-1) ?? '';
};
const buyInApp = async (id: number) =>
  billing.purchase(id, await billing.store.receipt(await billing.buy(id)));
const statusOf = (id: string) => stripe.pages.get(id)?.session.status;
const settle = async () => {
  for (const store of billing.context.stores.all) await settleCustomers(store, billing.context);
};

describe('a purchase in an app while a payment page on the web is open', () => {
  it('closes the page, so that nobody pays twice', async () => {
    const [open, untouched] = [await page(1), await page(2)];
    expect((await buyInApp(1)).status).toBe(200);
    await settle();
    expect([statusOf(open), statusOf(untouched)]).toEqual(['expired', 'open']);
    expect(await billing.own(1)).toMatchObject({ membership_status: 'active', autorenew: true });
  });

  it('closes it also where only the store’s notification tells of it', async () => {
    const open = await page(3);
    await billing.buy(3);
    expect((await billing.deliver()).status).toBe(200);
    await settle();
    expect(statusOf(open)).toBe('expired');
  });

  it('leaves the app’s subscription as the only one that renews, where the page was paid at once', async () => {
    const open = await page(4);
    const onWeb = stripe.complete(open);
    await buyInApp(4);
    await settle();
    await billing.moveTo('2026-06-15T12:00:01Z');
    expect(stripe.subscriptions.get(onWeb)?.cancel_at_period_end).toBe(true);
    expect((await billing.own(4)).history).toHaveLength(2);
  });

  it('leaves it as the only one that renews also for who has paid on the web for longer', async () => {
    const known = stripe.complete(await page(5));
    await billing.post('/packages/purchase', { package_id: 1, rate_id: 11, ...urls }, { id: 5 });
    await buyInApp(5);
    await settle();
    await billing.moveTo('2026-06-15T12:00:01Z');
    expect(stripe.subscriptions.get(known)).toMatchObject({ status: 'active', cancel_at_period_end: true });
  });

  it('leaves the page that was opened after it had ended, although the store answers that late', async () => {
    const original = await billing.buy(6);
    await billing.deliver().expect(200);
    const [release, isHeld] = billing.store.holdNext();
    const late = billing
      .deliver(await billing.store.notice(original, 'DID_RENEW'))
      .then(({ status }) => status);
    await isHeld;
    await billing.store.expire(original);
    await billing.deliver().expect(200);
    const open = await page(6);
    release();
    expect(await late).toBe(200);
    await settle();
    expect(statusOf(open)).toBe('open');
  });
});
