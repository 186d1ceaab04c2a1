import { forbidden } from '@covalence/contract/failure';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { BillingContext } from '../context.ts';
import { canPurchase } from '../memberships/membership.ts';
import { offersFor, type Offer } from './offers.ts';
import type { Platform } from './package-data.ts';
import { packageParameters } from './package-parameters.ts';
import { packageRecord } from './package-record.ts';
import { packageRows } from './package-rows.ts';
import { findPromo, judgePromo, type PromoOutcome } from './promo.ts';
import { readerLocale } from './reader-locale.ts';

interface PromoRequest {
  readonly typed: string;
  readonly platform: Platform;
  readonly offers: readonly Offer[];
  readonly caller: Caller;
}

async function promoOutcome(request: PromoRequest, context: BillingContext): Promise<PromoOutcome> {
  const { typed, platform, offers, caller } = request;
  const promo = findPromo(context.packageData.promoCodes, typed);
  const usage = promo ? await context.redemptions.usage(promo, caller.id) : { usedByMember: false, uses: 0 };
  return judgePromo(promo, { ...usage, siteid: caller.siteid, platform, at: context.clock(), offers });
}

/**
 * GET /packages (spec 4.11): what the member can buy, with the promo code and the in-app products asked for, and whether
 * a purchase makes sense now. Texts and amounts are in the member's locale (P310).
 */
export const listPackages = endpoint({
  access: 'member',
  summary: 'Lists membership packages and rates for the current member',
  input: packageParameters,
  output: z.strictObject({ packages: z.array(packageRecord), can_purchase: z.boolean() }),
  async handler({ input: { app, promo_code: typed }, caller }, context: BillingContext) {
    const site = context.sites.get(caller.siteid);
    if (!site) throw forbidden();
    const offers = offersFor(context.packageData, site.siteid, app);
    const platform = app?.app_platform ?? 'web';
    const [membership, outcome, locale] = await Promise.all([
      context.memberships.find(caller.id),
      typed === undefined ? undefined : promoOutcome({ typed, platform, offers, caller }, context),
      readerLocale(caller, site, context),
    ]);
    return {
      packages: packageRows(offers, outcome, { locale, currency: site.currency }),
      can_purchase: canPurchase(membership, context.clock()),
    };
  },
});
