import type { appPlatforms, Package, PackageData, Rate } from './package-data.ts';

/** The app of a request. */
export interface App {
  readonly app_id: string;
  readonly app_platform: (typeof appPlatforms)[number];
  readonly version: number;
}

/** A package at a rate that a site's members can buy; for an app with its in-app product. */
export interface Offer {
  readonly pack: Package;
  readonly rate: Rate;
  readonly product?: { readonly product_id: string; readonly offer_id?: string | undefined };
}

/** The site's own rates, else those for every site. */
const ratesFor = (pack: Package, siteid: number): Rate[] => {
  const own = pack.rates.filter((rate) => rate.sites?.includes(siteid));
  return own.length ? own : pack.rates.filter((rate) => !rate.sites);
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

/** What a site's members can buy, in display order. For an app: only offers with an in-app product; none for an unknown app. */
export function offersFor(data: PackageData, siteid: number, app?: App): Offer[] {
  const offers = data.packages.flatMap((pack) => ratesFor(pack, siteid).map((rate) => ({ pack, rate })));
  return (app ? inApp(offers, data, app) : offers).sort(byDisplayOrder);
}

/** What is sold as a product of an app; undefined for an unknown product. */
export function productOf(
  { apps, packages }: PackageData,
  app_id: string,
  product_id: string,
): { readonly package_id: number; readonly rate_id: number } | undefined {
  const rate_id = apps
    .filter((app) => app.app_id === app_id)
    .flatMap(({ products }) => products)
    .find((product) => product.product_id === product_id)?.rate_id;
  const pack = packages.find(({ rates }) => rates.some((rate) => rate.rate_id === rate_id));
  return pack && rate_id !== undefined ? { package_id: pack.package_id, rate_id } : undefined;
}
