import { badRequest, forbidden, notFound } from '@covalence/contract/failure';
import { jsonText } from '@covalence/runtime/json-text';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { SubscriptionsContext } from './subscriptions.ts';
import { showMembership } from '../memberships/show-membership.ts';
import { applyCharge } from '../memberships/settle-payment.ts';
import type { PaymentProvider } from '../payments/provider.ts';
import { syncSubscription } from './sync-subscription.ts';
import type { Store, StoreNotification } from '../stores/store.ts';
import { isSigned } from '../payments/webhook-signature.ts';

/** A webhook names a payment; its state is read from the provider. */
const hook = jsonText.pipe(z.object({ key: z.string().min(1).max(512) }));

/** A notification of a store: its subscription is synchronized before the answer, so a store that is away makes it come again. */
async function receiveNotification(
  store: Store,
  notification: StoreNotification,
  context: SubscriptionsContext,
) {
  const reference = await store.notified(notification);
  if (reference === undefined) throw forbidden();
  if (reference === null) return;
  const synced = await syncSubscription(store, reference, context, { notified_at: notification.at });
  if (synced.outcome === 'followed') await showMembership(synced.member, context);
  else context.logger.info({ store: store.name, outcome: synced.outcome }, 'notification matches no member');
}

/** A webhook of a provider: the state of the payment that it names is applied. */
async function receivePayment(provider: PaymentProvider, raw: Buffer, context: SubscriptionsContext) {
  const { data: named, error } = hook.safeParse(raw.toString('utf8'));
  if (!named) throw badRequest(error);
  const [payment, charge] = await Promise.all([context.payments.find(named.key), provider.find(named.key)]);
  if (payment?.provider !== provider.name || !charge) return;
  await applyCharge(payment, charge, context);
  await showMembership(payment.member, context);
}

/**
 * POST /packages/webhook/{provider}: asks the provider about the payment or subscription that is named, and applies its state. Webhooks
 * may therefore be repeated, late or out of order; unknown payments are ignored. 404 for an unlisted provider or without a secret,
 * 403 for an invalid signature, 400 for an invalid body.
 */
export function receiveWebhook(context: SubscriptionsContext): RequestHandler {
  return async (request, response) => {
    const { providers, stores, webhookSecret } = context;
    const name = String(request.params['provider']);
    const body: unknown = request.body;
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const store = stores.find(name);
    if (store) {
      const header = (key: string) => request.get(key);
      await receiveNotification(store, { body: raw, header, at: context.clock() }, context);
    } else {
      const provider = providers.find(name);
      if (!provider || !webhookSecret) throw notFound();
      const signature = request.get('X-Webhook-Signature');
      if (!isSigned(signature, webhookSecret, raw, context.clock())) throw forbidden();
      await receivePayment(provider, raw, context);
    }
    response.json({});
  };
}
