import { startStripe, type StripeEvent } from '@covalence/fakes/stripe';
import { settleCustomers } from '../../src/subscriptions/subscription-jobs.ts';
import { clientOrigin, startService, type ServiceOptions } from '../harness.ts';

/** The products of the account; the prices are those of the package data. */
const products = ['prod_month', 'prod_quarter', 'prod_half'];

/** The portal's offer, apart from the member's own product. */
export const half = { id: 'prod_half', amount: 9_000, currency: 'usd', days: 180 };

/** The URLs that a payment page leads to. */
const urls = { success_url: `${clientOrigin}/paid`, cancel_url: `${clientOrigin}/packages` };

/** A service that sells on the web by a Stripe account on loopback. */
export async function startWithStripe(suite: string, options: ServiceOptions = {}) {
  const { clock = { now: new Date('2026-06-15T12:00:00Z') } } = options;
  const stripe = await startStripe(() => clock.now, products);
  const billing = await startService(suite, {
    ...options,
    clock,
    config: {
      PAYMENT_PROVIDERS: ['sandbox', 'stripe'],
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRETS: ['whsec_ofTheEndpointBefore000', stripe.webhookSecret],
      STRIPE_API_URL: stripe.url,
      ...options.config,
    },
  });

  return {
    ...billing,
    stripe,
    /** POST /packages/purchase on the web. */
    purchase: (id: number, body: object = {}, caller: object = {}) =>
      billing.post('/packages/purchase', { package_id: 1, rate_id: 11, ...urls, ...body }, { id, ...caller }),
    /** The page that a purchase leads to, and its subscription once it is paid on it. */
    async page(id: number, body: object = {}, caller: object = {}): Promise<string> {
      const { status, body: answer } = await this.purchase(id, body, caller);
      if (status !== 200) throw new Error(`no page: ${JSON.stringify(answer)}`);
      return String(answer.checkout_url).split('/').at(-1) ?? '';
    },
    /** Buys a month on the web; Stripe's events are not delivered. */
    async buy(id: number, body: object = {}, caller: object = {}): Promise<string> {
      return stripe.complete(await this.page(id, body, caller));
    },
    /** Delivers the last event, or one of them, as Stripe posts it. */
    async deliver(event: StripeEvent | undefined = stripe.events.at(-1), options: object = {}) {
      const { body, signature } = stripe.posted(event, options);
      const answer = await billing.request
        .post('/packages/webhook/stripe')
        .set('Content-Type', 'application/json; charset=utf-8')
        .set('Stripe-Signature', signature)
        .send(body);
      if (event && answer.status === 200) stripe.confirm(event);
      return answer;
    },
    /** Does what the job does that is there for customers. */
    async settleCustomers() {
      for (const one of billing.context.stores.all) await settleCustomers(one, billing.context);
    },
    async closeAll() {
      await billing.close();
      await stripe.close();
    },
  };
}

/** The running service of a suite. */
export type StripeBilling = Awaited<ReturnType<typeof startWithStripe>>;
