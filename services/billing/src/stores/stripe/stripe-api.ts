import { unavailable } from '@covalence/contract/failure';
import { Stripe } from 'stripe';
import { eventTypes } from './stripe-events.ts';
import { idOf, type StripeFacts } from './stripe-state.ts';
import type { StripeOptions } from './stripe-settings.ts';

const timeoutMs = 5_000;
/** A subscription of 40 years, by months; a customer's payments. */
const mostInvoices = 500;
const mostPayments = 1_000;

/** An error for the log: Stripe's original can contain card data and an address. */
const withoutPersonalData = (error: Stripe.errors.StripeError) =>
  new Error(
    `Stripe: ${error.type} ${error.code ?? '-'} ${error.param ?? '-'}, status ${error.statusCode ?? '-'}, request ${error.requestId ?? '-'}`,
  );

/** The answer; any error means that the store is unavailable. */
async function answerOf<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw unavailable(error instanceof Stripe.errors.StripeError ? withoutPersonalData(error) : error);
  }
}

/** Undefined for an error that is expected. */
const unless = <Result>(
  isExpected: (error: Stripe.errors.StripeError) => boolean,
  call: () => Promise<Result>,
): Promise<Result | undefined> =>
  answerOf(async () => {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError && isExpected(error)) return undefined;
      throw error;
    }
  });

/** Undefined where Stripe does not have what is asked for, or no longer; `param` names it in a call about something else. */
const unlessMissing = <Result>(call: () => Promise<Result>, param?: string) =>
  unless((error) => error.code === 'resource_missing' && (!param || error.param === param), call);

/** Undefined where Stripe refuses a change, of what has ended for example. */
const unlessRefused = <Result>(call: () => Promise<Result>) =>
  unless(({ statusCode }) => statusCode === 400 || statusCode === 404, call);

/** Creates the calls of the Stripe API that are used. */
export function createStripeApi({ secretKey, apiUrl }: Pick<StripeOptions, 'secretKey' | 'apiUrl'>) {
  const address = apiUrl === undefined ? undefined : new URL(apiUrl);
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(address && {
      protocol: address.protocol === 'https:' ? 'https' : 'http',
      host: address.hostname,
      port: address.port,
    }),
  });

  return {
    /** Everything about a subscription; undefined if Stripe does not know it. */
    async factsOf(id: string): Promise<StripeFacts | undefined> {
      const subscription = await unlessMissing(async () => {
        try {
          return await stripe.subscriptions.retrieve(id, { expand: ['schedule.phases.items.price'] });
        } catch (error) {
          // A key that may not read prices shows everything except the product of a planned change.
          if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
          return await stripe.subscriptions.retrieve(id);
        }
      });
      if (!subscription) return undefined;
      return answerOf(async () => {
        const [invoices, payments] = await Promise.all([
          stripe.invoices
            .list({ subscription: id, limit: 100, expand: ['data.payments'] })
            .autoPagingToArray({ limit: mostInvoices }),
          stripe.charges
            .list({ customer: idOf(subscription.customer), limit: 100, expand: ['data.refunds'] })
            .autoPagingToArray({ limit: mostPayments }),
        ]);
        const disputed = payments.filter((one) => one.disputed);
        const disputes = await Promise.all(
          disputed.map(async (one) => (await stripe.disputes.list({ charge: one.id, limit: 100 })).data),
        );
        return { subscription, invoices, payments, disputes: disputes.flat() };
      });
    },
    /** The subscription that a payment was for; undefined if it was for none. */
    async subscriptionOf(payment_intent: string): Promise<string | undefined> {
      const { data } = await answerOf(() =>
        stripe.invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent },
          expand: ['data.invoice'],
        }),
      );
      for (const { invoice } of data) {
        if (typeof invoice === 'string' || !('parent' in invoice)) continue;
        const subscription = idOf(invoice.parent?.subscription_details?.subscription);
        if (subscription) return subscription;
      }
      return undefined;
    },
    /** Events since a time that did not reach every endpoint. */
    async *undelivered(since: Date): AsyncGenerator<Stripe.Event> {
      const created = { gte: Math.floor(since.getTime() / 1_000) };
      const events = stripe.events.list({ types: eventTypes, created, delivery_success: false, limit: 100 });
      try {
        yield* events;
      } catch (error) {
        await answerOf(() => Promise.reject(error as Error));
      }
    },
    createCustomer: (metadata: Stripe.MetadataParam, idempotencyKey: string) =>
      answerOf(() => stripe.customers.create({ metadata }, { idempotencyKey })),
    forgetCustomer: (id: string) => unlessMissing(() => stripe.customers.del(id)),
    createCheckout: (params: Stripe.Checkout.SessionCreateParams) =>
      unlessMissing(() => stripe.checkout.sessions.create(params), 'customer'),
    checkout: (id: string) => unlessMissing(() => stripe.checkout.sessions.retrieve(id)),
    /** The pages on which a customer can pay. */
    openCheckouts: async (customer: string) =>
      (await unlessMissing(
        () =>
          stripe.checkout.sessions
            .list({ customer, status: 'open', limit: 100 })
            .autoPagingToArray({ limit: mostInvoices }),
        'customer',
      )) ?? [],
    expireCheckout: (id: string) => unlessRefused(() => stripe.checkout.sessions.expire(id)),
    createPortal: (params: Stripe.BillingPortal.SessionCreateParams) =>
      unlessMissing(() => stripe.billingPortal.sessions.create(params), 'customer'),
    /** Whether Stripe Tax has what it needs to compute tax. */
    isTaxSetUp: async () => (await answerOf(() => stripe.tax.settings.retrieve())).status === 'active',
    product: (id: string) => unlessMissing(() => stripe.products.retrieve(id)),
    coupon: (id: string) => unlessMissing(() => stripe.coupons.retrieve(id)),
    /** Switches renewal, or says that Stripe refuses to. The portal ends it by a time, `cancel_at`. */
    setRenewal: async ({ id, cancel_at }: Stripe.Subscription, autorenew: boolean) =>
      (await unlessRefused(() =>
        stripe.subscriptions.update(
          id,
          autorenew && cancel_at !== null ? { cancel_at: '' } : { cancel_at_period_end: !autorenew },
        ),
      )) ?? ('refused' as const),
    /** Leaves a subscription without its plan of changes. */
    releaseSchedule: (id: string) => unlessRefused(() => stripe.subscriptionSchedules.release(id)),
    cancel: (id: string) => unlessMissing(() => stripe.subscriptions.cancel(id)),
    /** An event as Stripe has signed it with one of the secrets; undefined if it did not. */
    signed(body: Buffer, signature: string, secrets: readonly string[], at: Date): Stripe.Event | undefined {
      for (const secret of secrets) {
        try {
          return stripe.webhooks.constructEvent(body, signature, secret, undefined, undefined, at.getTime());
        } catch {
          // Another secret's, or no event at all.
        }
      }
      return undefined;
    },
  };
}

/** The calls of the API. */
export type StripeApi = ReturnType<typeof createStripeApi>;
