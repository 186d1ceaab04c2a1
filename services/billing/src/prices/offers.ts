import {
  countryPrice,
  isProduct,
  productsOf,
  ratesFor,
  soldRate,
  type InAppProduct,
  type Package,
  type PackageData,
  type Platform,
  type Price,
  type Rate,
} from './package-data.ts';

/** The app of a request. */
export interface App {
  readonly app_id: string;
  readonly app_platform: Platform;
  readonly version: number;
}

/** The buyer. */
export interface Buyer {
  readonly siteid: number;
  /** ISO 3166-1; without it the general prices apply. */
  readonly country?: string | undefined;
}

/** A package at a rate that a member can buy; for an app with its in-app product. */
export interface Offer extends Price {
  readonly pack: Package;
  readonly rate: Rate;
  /** Set if the price is that of the member's country. */
  readonly country?: string | undefined;
  readonly product?: InAppProduct;
}

const priced = (pack: Package, rate: Rate, country: string | undefined): Offer => {
  const own = countryPrice(rate, country);
  const { amount, currency } = own ?? rate;
  return { pack, rate, amount, currency, ...(own && { country }) };
};

/** Orders by display order, days, then rate id. */
const byDisplayOrder = (a: Offer, b: Offer): number =>
  a.rate.display_order - b.rate.display_order || a.pack.days - b.pack.days || a.rate.rate_id - b.rate.rate_id;

const inApp = (offers: readonly Offer[], { apps }: PackageData, app: App): Offer[] => {
  const known = apps.find(
    ({ app_id, app_platform, version }) =>
      app_id === app.app_id && app_platform === app.app_platform && version === app.version,
  );
  return offers.flatMap((offer) => {
    const product = known?.products.find(({ rate_id }) => rate_id === offer.rate.rate_id);
    return product ? [{ ...offer, product }] : [];
  });
};

/**
 * The offers for a member, in display order, all in one currency. For an app: only offers with an in-app
 * product; none for an unknown app.
 */
export function offersFor(data: PackageData, { siteid, country }: Buyer, app?: App): Offer[] {
  const offers = data.packages.flatMap((pack) =>
    ratesFor(pack, siteid).map((rate) => priced(pack, rate, country)),
  );
  return (app ? inApp(offers, data, app) : offers).sort(byDisplayOrder);
}

/** The package and rate sold as a product of an app, by the store's name; undefined for an unknown product. */
export function productOf(
  data: PackageData,
  app_id: string,
  named: string,
): { readonly package_id: number; readonly rate_id: number } | undefined {
  const product = productsOf(data, app_id).find((one) => isProduct(one, named));
  const sold = soldRate(data, product?.rate_id);
  return sold && { package_id: sold.pack.package_id, rate_id: sold.rate.rate_id };
}
