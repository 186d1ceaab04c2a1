import { unavailable } from '@covalence/contract/failure';
import { systemClock } from '@covalence/runtime/clock';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Checkout, Store, WebShop } from '../store.ts';
import { createStripeApi, type StripeApi } from './stripe-api.ts';
import { subjectOf } from './stripe-events.ts';
import type { StripeOptions } from './stripe-settings.ts';
import { atStripe, idOf, minorOf, stripeState } from './stripe-state.ts';

/** The app that the package data has Stripe's products under. */
export const stripeApp = 'stripe';

/** The states in which a payment is due: it would be tried again until the end of the period. */
const due = new Set<string>(['past_due', 'unpaid', 'incomplete', 'paused']);

/** A call of which nobody knows whether it was done is repeated within this time, ms. */
const repeatedMs = 300_000;

/** Lifetime of a payment page; Stripe accepts no less than 30 minutes, by its own clock. */
const openSeconds = 35 * 60;

const checkoutOf = (session: Stripe.Checkout.Session): Checkout => ({
  id: session.id,
  status: z.enum(['open', 'complete', 'expired']).parse(session.status),
  url: session.url ?? undefined,
  reference: idOf(session.subscription) || undefined,
  ...minorOf(session.amount_total ?? 0, session.currency ?? 'usd'),
});

/** A subscription whose first payment may be put off, which looks like a trial at Stripe: `begins` distinguishes it. */
function subscriptionOf(
  account_token: string,
  begins: Date | undefined,
): Stripe.Checkout.SessionCreateParams.SubscriptionData {
  if (!begins) return { metadata: { account_token } };
  const trial_end = Math.ceil(begins.getTime() / 1_000);
  return { metadata: { account_token, begins: trial_end }, trial_end };
}

function createShop(
  api: StripeApi,
  { portalConfiguration, automaticTax, clock = systemClock }: StripeOptions,
): WebShop {
  return {
    app: stripeApp,
    async createCustomer(account_token, replaces = '') {
      // Stripe answers a repeated key with the customer that it has made, or with the error that it had.
      const key = `customer:${account_token}:${replaces}:${Math.floor(clock().getTime() / repeatedMs)}`;
      return (await api.createCustomer({ account_token }, key)).id;
    },
    async startCheckout({ customer, account: account_token, product, days, offer, begins, ...order }) {
      const session = await api.createCheckout({
        mode: 'subscription',
        ...(customer !== undefined && { customer }),
        client_reference_id: account_token,
        line_items: [
          {
            price_data: {
              ...atStripe(order),
              product,
              ...(automaticTax && { tax_behavior: 'inclusive' }),
              recurring: { interval: 'day', interval_count: days },
            },
            quantity: 1,
          },
        ],
        ...(automaticTax && {
          automatic_tax: { enabled: true },
          // The tax is that of the address on the page, which a known customer's page would not store.
          ...(customer !== undefined && { customer_update: { address: 'auto' } }),
        }),
        expires_at: Math.floor(clock().getTime() / 1_000) + openSeconds,
        success_url: order.success_url,
        cancel_url: order.cancel_url,
        ...(offer !== undefined && { discounts: [{ coupon: offer }] }),
        // One for a first purchase would work again for each new customer.
        ...(offer === undefined && customer !== undefined && { allow_promotion_codes: true }),
        subscription_data: subscriptionOf(account_token, begins),
      });
      return session && checkoutOf(session);
    },
    async checkout(id) {
      const session = await api.checkout(id);
      return session && checkoutOf(session);
    },
    async closeCheckout(id) {
      const session = (await api.expireCheckout(id)) ?? (await api.checkout(id));
      return session && checkoutOf(session);
    },
    async portal(customer, return_url) {
      const configuration = portalConfiguration && { configuration: portalConfiguration };
      return (await api.createPortal({ customer, return_url, ...configuration }))?.url;
    },
    async switchRenewal(reference, autorenew) {
      const facts = await api.factsOf(reference);
      const state = facts && stripeState(facts, stripeApp, clock());
      if (!facts || !state || state.phase === 'ended') return state;
      const isDue = due.has(facts.subscription.status) && state.phase !== 'running';
      if (state.autorenew === autorenew && !isDue) return state;
      const { schedule } = facts.subscription;
      // A schedule would carry out its plan despite the request.
      if (schedule) await api.releaseSchedule(idOf(schedule));
      const subscription =
        !autorenew && isDue
          ? await api.cancel(reference)
          : await api.setRenewal(facts.subscription, autorenew);
      return subscription === 'refused'
        ? 'refused'
        : subscription && stripeState({ ...facts, subscription }, stripeApp, clock());
    },
    async forget(customer, page) {
      for (const { id } of await api.openCheckouts(customer)) await api.expireCheckout(id);
      const session =
        page === undefined ? undefined : ((await api.expireCheckout(page)) ?? (await api.checkout(page)));
      if (session?.status === 'open') throw unavailable(new Error('a payment page is in use'));
      const other = idOf(session?.customer);
      if (other && other !== customer) await api.forgetCustomer(other);
      await api.forgetCustomer(customer);
    },
  };
}

/** Stripe, by Checkout, the customer portal, the API and its events. */
export function createStripe(options: StripeOptions): Store {
  const api = createStripeApi(options);
  const { clock = systemClock } = options;
  /** The subscription of an event; null if it is about none. */
  const referenceOf = async ({ type, data }: Stripe.Event): Promise<string | null> => {
    const { subscription, payment } = subjectOf({ type, object: data.object });
    return subscription ?? (payment === undefined ? undefined : await api.subscriptionOf(payment)) ?? null;
  };
  const missedSince = async function* (since: Date): AsyncGenerator<string> {
    let failure: unknown;
    for await (const event of api.undelivered(since)) {
      // The events before one that cannot be read come after it.
      const reference = await referenceOf(event).catch((error: unknown) => {
        failure = error;
        return null;
      });
      if (reference !== null) yield reference;
    }
    if (failure) throw failure;
  };

  return {
    name: 'stripe',
    platforms: ['web'],
    manageUrl: null,
    web: createShop(api, options),
    async ask(reference) {
      const facts = await api.factsOf(reference);
      return facts && stripeState(facts, stripeApp, clock());
    },
    async finish(reference) {
      await api.cancel(reference);
    },
    async notified({ body, header, at }) {
      const event = api.signed(body, header('Stripe-Signature') ?? '', options.webhookSecrets, at);
      return event && (await referenceOf(event));
    },
    missed: (since) => [missedSince(since)],
  };
}
