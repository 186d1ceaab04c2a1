import type { GooglePlayApi, PlaySubscription } from '../stores/google-play/google-play-api.ts';
import { minorOf } from '../stores/google-play/play-state.ts';
import type { StoreProduct } from './store-product.ts';

const isActive = ({ state }: { readonly state?: string | null }) => state === 'ACTIVE';

/** The subscriptions of an app of Google Play; a product with several active base plans has the periods of all. */
export async function googlePlayProducts(api: GooglePlayApi): Promise<StoreProduct[]> {
  const [subscriptions, offers] = await Promise.all([api.subscriptions(), api.offers()]);
  return subscriptions.map(({ productId, basePlans = [] }: PlaySubscription) => {
    const plans = basePlans.filter(isActive);
    const usable = offers.filter(
      (offer) =>
        offer.productId === productId &&
        isActive(offer) &&
        plans.some(({ basePlanId }) => basePlanId === offer.basePlanId),
    );
    return {
      product_id: productId ?? '',
      isOnSale: plans.length > 0,
      periods: plans.map(
        ({ autoRenewingBasePlanType }) => autoRenewingBasePlanType?.billingPeriodDuration ?? 'none',
      ),
      offers: usable.map(({ offerId }) => offerId ?? ''),
      prices: new Map(
        plans.flatMap(({ regionalConfigs = [] }) =>
          regionalConfigs.flatMap(({ regionCode, newSubscriberAvailability, price }) =>
            regionCode && newSubscriberAvailability && price ? [[regionCode, minorOf(price)] as const] : [],
          ),
        ),
      ),
    };
  });
}
