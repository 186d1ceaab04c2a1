import { startStripe, type StripeAccount } from '@covalence/fakes/stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { clientOrigin, replacing } from '../harness.ts';
import { settleCustomers } from '../../src/subscriptions/subscription-jobs.ts';
import { startWithAppStore, type AppStoreBilling } from './app-store-harness.ts';

let billing: AppStoreBilling;
let stripe: StripeAccount;
beforeAll(async () => {
  stripe = await startStripe(() => billing.time.now, ['prod_month', 'prod_half']);
  billing = await startWithAppStore('app-beside-web', {
    config: {
      PAYMENT_PROVIDERS: ['sandbox', 'app_store', 'stripe'],
      FAMILY_SHARING: true,
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRETS: [stripe.webhookSecret],
      STRIPE_API_URL: stripe.url,
    },
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
const buyOnWeb = (id: number) =>
  billing.post('/packages/purchase', { package_id: 1, rate_id: 11, ...urls }, { id });
/** A payment page on the web, which the member has not left. */
const page = async (id: number): Promise<string> =>
  String((await buyOnWeb(id)).body.checkout_url)
    .split('/')
    .at(-1) ?? '';
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

  it('closes it also where only the store’s notification reports it', async () => {
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

  it('leaves it as the only one that renews, also for a member who has paid on the web for longer', async () => {
    const known = stripe.complete(await page(5));
    await buyOnWeb(5);
    await buyInApp(5);
    await settle();
    await billing.moveTo('2026-06-15T12:00:01Z');
    expect(stripe.subscriptions.get(known)).toMatchObject({ status: 'active', cancel_at_period_end: true });
  });

  it.each([
    ['as soon as the bank has paid, where the page is still to be closed', false],
    ['as soon as the bank has paid, where that is known', true],
  ])('leaves it as the only one that renews %s', async (_case, isKnown) => {
    const member = isKnown ? 8 : 7;
    const awaited = stripe.debit(await page(member));
    if (isKnown) await buyOnWeb(member);
    await buyInApp(member);
    await settle();
    await billing.moveTo('2026-06-15T12:00:01Z');
    // The debit could still arrive, for a subscription that has ended.
    expect(stripe.subscriptions.get(awaited)?.status).toBe('incomplete');
    stripe.bank(awaited, true);
    await billing.moveTo('2026-06-16T12:00:01Z');
    await billing.moveTo('2026-06-17T12:00:01Z');
    expect(stripe.subscriptions.get(awaited)).toMatchObject({ status: 'active', cancel_at_period_end: true });
  });

  it('leaves what was paid on the page where the app’s subscription has ended by then', async () => {
    const paid = stripe.complete(await page(9));
    stripe.failWith('away');
    const original = await billing.buy(9);
    await billing.deliver().expect(200);
    await settle();
    await billing.store.refund(original);
    await billing.deliver().expect(200);
    stripe.failWith();
    await settle();
    await billing.moveTo('2026-06-15T12:00:01Z');
    expect(stripe.subscriptions.get(paid)?.cancel_at_period_end).toBe(false);
    expect(await billing.own(9)).toMatchObject({ membership_status: 'active', autorenew: true });
  });

  it('leaves what the member pays for on the web, where a family shares the app’s subscription', async () => {
    const paid = stripe.complete(await page(10));
    await buyOnWeb(10);
    await billing.buy(10, { isShared: true });
    await billing.deliver().expect(200);
    await billing.moveTo('2026-06-15T12:00:01Z');
    expect(stripe.subscriptions.get(paid)?.cancel_at_period_end).toBe(false);
  });

  it('closes the page that is made in that moment', async () => {
    const web = billing.context.stores.find('stripe')?.web;
    if (!web) throw new Error('Stripe does not sell on the web');
    const meanwhile = (own: typeof web) => ({
      async startCheckout(...order: Parameters<typeof own.startCheckout>) {
        const started = await own.startCheckout(...order);
        await buyInApp(11);
        await settle();
        return started;
      },
    });
    await replacing(web, meanwhile, async () =>
      expect((await buyOnWeb(11)).body).toEqual({ fail: 'Purchase Not Possible' }),
    );
    expect(statusOf([...stripe.pages.keys()].at(-1) ?? '')).toBe('expired');
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
