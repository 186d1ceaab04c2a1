import { Failure, forbidden } from '@covalence/contract/failure';
import { returnUrl } from '@covalence/contract/peers/auth-api';
import { recentSignInSeconds } from '@covalence/contract/recent-sign-in';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SubscriptionsContext } from '../subscriptions/subscriptions.ts';
import { consumeReceipt } from '../subscriptions/buy-at-store.ts';
import { checkReturns } from '../subscriptions/checkout.ts';

/** POST /packages/portal: the billing dashboard of a member who buys on the web. */
export const openPortal = endpoint({
  access: 'member',
  tag: 'Membership',
  operationId: 'openBillingPortal',
  summary: 'Open the billing dashboard',
  description:
    'For those who bought on the web: the address of a page, good for a few minutes, where they change, cancel or renew the subscription, change the card and read invoices. `return_url` is on an origin of the client’s redirect addresses. Needs a sign-in of the last 10 minutes. 403 without code for a member who never bought on the web, and for another `return_url`.',
  answer: 'Where to send the browser.',
  example: { request: { return_url: 'https://app.example/membership' } },
  refusals: ['Purchase Not Possible', 'Invalid Argument'],
  // The portal shows name, address and card.
  recentSignIn: recentSignInSeconds,
  bodyOnly: true,
  input: z.object({ return_url: returnUrl.meta({ description: 'Where the page leads back to.' }) }),
  output: z
    .object({ url: z.url().meta({ examples: ['https://billing.stripe.com/p/session/test_YWNjdF8x'] }) })
    .meta({ id: 'BillingPortal' }),
  async handler({ input: { return_url }, caller }, context: SubscriptionsContext) {
    if (!context.sites.has(caller.siteid)) throw forbidden();
    const store = context.stores.forPlatform('web');
    const customer = store && (await context.customers.find(store.name, caller.id));
    if (!store?.web || !customer) throw new Failure(403, 'Purchase Not Possible');
    await consumeReceipt(caller, context);
    await checkReturns([return_url], caller, context);
    const url = await store.web.portal(customer.id, return_url);
    if (url === undefined) throw new Failure(403, 'Purchase Not Possible');
    return { url };
  },
});
