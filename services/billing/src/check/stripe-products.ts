import { productsOf, type PackageData } from '../prices/package-data.ts';
import type { StripeApi } from '../stores/stripe/stripe-api.ts';
import type { StoreProduct } from './store-product.ts';

/** The products of the account that the package data names, with their coupons; prices and periods are those of the package data. */
export async function stripeProducts(
  data: PackageData,
  app_id: string,
  api: StripeApi,
): Promise<StoreProduct[]> {
  const sold: StoreProduct[] = [];
  for (const [product_id, entries] of Map.groupBy(productsOf(data, app_id), (one) => one.product_id)) {
    const product = await api.product(product_id);
    if (!product) continue;
    const offers: string[] = [];
    for (const { offer_id } of entries)
      if (offer_id !== undefined && (await api.coupon(offer_id))?.valid) offers.push(offer_id);
    sold.push({ product_id, isOnSale: product.active, period: null, offers, prices: new Map() });
  }
  return sold;
}
