import { badRequest, forbidden, notFound } from '@covalence/contract/failure';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { showMembership } from './show-membership.ts';
import { applyCharge } from './settle-payment.ts';
import { isSigned } from '../payments/webhook-signature.ts';

/** A hook says which payment to look at; what became of it the provider is asked. */
const hook = z.object({ key: z.string().min(1).max(512) });

const parse = (body: Buffer): z.infer<typeof hook> => {
  try {
    return hook.parse(JSON.parse(body.toString('utf8')));
  } catch (error) {
    throw badRequest(error);
  }
};

/**
 * POST /packages/webhook/{provider}: the provider tells that something became of a payment. The provider's present answer
 * is applied, so a hook may come twice, late or before another without harm, and a payment that is not ours is nothing
 * to us. 404 for a provider that is not listed or without a secret, 403 without a good signature, 400 for a body that is no hook.
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
