import type { Caller } from '@covalence/http/endpoint';
import type { SubscriptionsContext } from '../subscriptions/subscriptions.ts';
import type { App, Offer } from '../prices/offers.ts';
import { findPromo, judgePromo, type PromoOutcome } from '../prices/promo.ts';

/** A promo code as typed, with its app, member and offers. */
export interface PromoRequest {
  readonly typed: string;
  readonly app: App | undefined;
  readonly offers: readonly Offer[];
  readonly caller: Caller;
}

/** Judges a promo code for a member by its uses so far. A concurrent redemption may still win. */
export async function promoOutcome(
  { typed, app, offers, caller }: PromoRequest,
  { packageData, redemptions, clock }: SubscriptionsContext,
): Promise<PromoOutcome> {
  const promo = findPromo(packageData.promoCodes, typed);
  const usage = promo ? await redemptions.usage(promo, caller.id) : { usedByMember: false, uses: 0 };
  const platform = app?.app_platform ?? 'web';
  return judgePromo(promo, { ...usage, siteid: caller.siteid, platform, at: clock(), offers });
}
