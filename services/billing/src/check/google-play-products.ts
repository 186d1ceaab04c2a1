import type { GooglePlayApi, PlaySubscription } from '../stores/google-play/google-play-api.ts';
import { minorOf } from '../stores/google-play/play-state.ts';
import { storeProduct } from '../prices/package-data.ts';
import type { StoreProduct } from './store-product.ts';

const isActive = ({ state }: { readonly state?: string | null }) => state === 'ACTIVE';

/** The subscriptions of an app of Google Play, one for each base plan. */
export async function googlePlayProducts(api: GooglePlayApi): Promise<StoreProduct[]> {
  const [subscriptions, offers] = await Promise.all([api.subscriptions(), api.offers()]);
  return subscriptions.flatMap(({ productId, basePlans = [] }: PlaySubscription) =>
    basePlans.map((plan) => {
      const { basePlanId, autoRenewingBasePlanType, regionalConfigs = [] } = plan;
      const usable = offers.filter(
        (offer) => offer.productId === productId && offer.basePlanId === basePlanId && isActive(offer),
      );
      return {
        product_id: storeProduct(productId ?? '', basePlanId),
        isOnSale: isActive(plan),
        period: autoRenewingBasePlanType?.billingPeriodDuration ?? 'none',
        offers: usable.map(({ offerId }) => offerId ?? ''),
        prices: new Map(
          regionalConfigs.flatMap(({ regionCode, newSubscriberAvailability, price }) =>
            regionCode && newSubscriberAvailability && price ? [[regionCode, minorOf(price)] as const] : [],
          ),
        ),
      };
    }),
  );
}
