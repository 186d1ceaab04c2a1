import { badRequest, forbidden, notFound } from '@covalence/contract/failure';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { showMembership } from './show-membership.ts';
import { applyCharge } from './settle-payment.ts';
import { isSigned } from '../payments/webhook-signature.ts';

/** A webhook names a payment; its state is read from the provider. */
const hook = z.object({ key: z.string().min(1).max(512) });

const parse = (body: Buffer): z.infer<typeof hook> => {
  try {
    return hook.parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    throw badRequest(error);
  }
};

/**
 * POST /packages/webhook/{provider}: reads the named payment from the provider and applies its state. Webhooks may therefore be
 * repeated, late or out of order; unknown payments are ignored. 404 for an unlisted provider or without a secret, 403 for an invalid
 * signature, 400 for an invalid body.
 */
export function receiveWebhook(context: BillingContext): RequestHandler {
  return async (request, response) => {
    const { providers, webhookSecret } = context;
    const provider = providers.find(String(request.params['provider']));
    if (!provider || !webhookSecret) throw notFound();
    const body: unknown = request.body;
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    if (!isSigned(request.get('X-Webhook-Signature'), webhookSecret, raw, context.clock())) throw forbidden();
    const { key } = parse(raw);
    const [payment, charge] = await Promise.all([context.payments.find(key), provider.find(key)]);
    if (payment?.provider === provider.name && charge) {
      await applyCharge(payment, charge, context);
      await showMembership(await context.memberships.find(payment.member), context);
    }
    response.json({});
  };
}
