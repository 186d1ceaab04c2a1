import { forbidden } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { SubscriptionsContext } from '../subscriptions/subscriptions.ts';
import { offersFor } from '../prices/offers.ts';
import { canBuy } from '../subscriptions/can-buy.ts';
import { packageParameters } from './package-parameters.ts';
import { packageRecord, packageRows } from './package-rows.ts';
import { promoOutcome } from './promo-outcome.ts';
import { readerOf } from './reader.ts';

/** A store has promotions of its own. */
const ofStore = { valid: false, problem: 'not_applicable' } as const;

/** Lists what the member can buy, in the member's locale, with the promo code applied, and whether a purchase is possible now. */
export const listPackages = endpoint({
  access: 'member',
  tag: 'Membership',
  operationId: 'listPackages',
  summary: 'List the packages and rates',
  description:
    'Rows in display order, then by days. A promo code that does not apply leaves the rates unchanged and says so in `promo_error`; a free trial is one row with `trial_length`. With app_platform and app_id each row has `app_product_id`. Where `can_purchase` is false, send the member to the billing dashboard. Texts and amounts are in the member’s locale; prices are those of the member’s country, if the site has such. Parameters that do not fit together are 403 without code.',
  answer: 'What the member can buy.',
  example: { request: { promo_code: 'WELCOME20' } },
  refusals: ['Forbidden'],
  input: packageParameters,
  output: z
    .strictObject({
      packages: z.array(packageRecord),
      can_purchase: z.boolean().meta({ examples: [true] }),
    })
    .meta({ id: 'PackageList' }),
  async handler({ input: { app, promo_code: typed }, caller }, context: SubscriptionsContext) {
    if (!context.sites.has(caller.siteid)) throw forbidden();
    const reader = readerOf(caller, context);
    const country = await reader.country();
    const locale = await reader.locale();
    const store = context.stores.forPlatform(app?.app_platform ?? 'web');
    const sold = offersFor(
      context.packageData,
      { siteid: caller.siteid, country },
      context.stores.appOf(app),
    );
    // The names of products are for apps.
    const offers = app ? sold : sold.map(({ product: _product, ...offer }) => offer);
    const [membership, subscribed, outcome] = await Promise.all([
      context.memberships.find(caller.id),
      context.subscriptions.findOf([caller.id]),
      typed === undefined
        ? undefined
        : store
          ? ofStore
          : promoOutcome({ typed, app, offers, caller }, context),
    ]);
    const isSold = (store ?? context.providers.current) !== undefined;
    return {
      packages: packageRows(offers, outcome, locale),
      can_purchase: isSold && canBuy(membership, subscribed, context),
    };
  },
});
