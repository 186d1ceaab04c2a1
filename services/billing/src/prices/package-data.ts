import { countryCodes } from '@covalence/contract/catalogue/check-value';
import { errorText } from '@covalence/runtime/error-text';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { currencies } from '../ledger/money.ts';

const id = z.int().positive();
/** Minor units; the bound keeps amount × days a safe integer. */
const money = z.int().positive().max(1_000_000_000_000);
const sites = z.array(id).min(1).optional();
/** ISO 4217 */
const currency = z.enum(currencies);

/** Origins of an app. */
export const appPlatforms = ['app_ios', 'twa', 'app_android'] as const;
/** The platform on which a member buys. */
export type Platform = (typeof appPlatforms)[number] | 'web';

/** The versions of in-app product codes by platform. */
export const versionsOf: Record<Platform, readonly number[]> = {
  app_ios: [0],
  twa: [0, 1],
  app_android: [0, 1],
  web: [0],
};

/** A price in minor units. */
const price = { amount: money, currency: currency.default('USD') };

const rateSchema = z.strictObject({
  rate_id: id,
  ...price,
  /** Prices of members of some countries (ISO 3166-1), instead of the general one. */
  prices: z.array(z.strictObject({ ...price, countries: z.array(z.enum(countryCodes)).min(1) })).default([]),
  display_order: z.int().nonnegative(),
  /** Sites of this rate; there it replaces the package's general rates. */
  sites,
});

const packageSchema = z.strictObject({
  package_id: id,
  names: z.strictObject({
    en_US: z.string().min(1),
    es_ES: z.string().min(1).optional(),
    de_DE: z.string().min(1).optional(),
    el_GR: z.string().min(1).optional(),
  }),
  days: z.int().min(1).max(3_660),
  rates: z.array(rateSchema).min(1),
});

const appSchema = z
  .strictObject({
    app_platform: z.enum([...appPlatforms, 'web']),
    app_id: z.string().min(1).max(255),
    version: z.int().nonnegative(),
    products: z.array(
      z.strictObject({
        rate_id: id,
        product_id: z.string().min(1),
        /** The base plan of a Google Play product that is sold for several lengths. */
        base_plan_id: z.string().min(1).optional(),
        offer_id: z.string().min(1).optional(),
      }),
    ),
  })
  .refine(
    ({ app_platform, version }) => versionsOf[app_platform].includes(version),
    'the platform has no such version',
  )
  .refine(
    ({ app_platform, version, products }) =>
      app_platform === 'web' ||
      (app_platform === 'app_android' && version > 0) ||
      products.every((product) => !product.offer_id),
    'only web, and app_android with a version above 0, have offers',
  )
  .refine(
    ({ app_platform, products }) =>
      (app_platform !== 'app_ios' && app_platform !== 'web') ||
      products.every((product) => !product.base_plan_id),
    'only Google Play has base plans',
  );

const promoTerms = {
  /** Upper case; members may type it in any case. */
  code: z.string().regex(/^[A-Z0-9_-]{1,32}$/),
  sites,
  platforms: z
    .array(z.enum([...appPlatforms, 'web']))
    .min(1)
    .optional(),
  /** Validity: from inclusive, until exclusive. */
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  once_per_member: z.boolean(),
  /** Limit of uses by all members together. */
  total_uses: z.int().positive().max(100_000).optional(),
};

const promoSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('percentage'), percentage: z.int().min(1).max(100), ...promoTerms }),
    z.strictObject({ kind: z.literal('amount'), ...price, ...promoTerms }),
    z.strictObject({
      kind: z.literal('free_trial'),
      rate_id: id,
      trial_days: z.int().min(1).max(365),
      ...promoTerms,
    }),
  ])
  .refine(
    ({ from, until }) => !from || !until || Date.parse(from) < Date.parse(until),
    'from must be before until',
  );

/** A package: a length of membership, with its prices. */
export type Package = z.infer<typeof packageSchema>;
/** One price of a package. */
export type Rate = z.infer<typeof rateSchema>;
/** The price of a rate. */
export type Price = Pick<Rate, 'amount' | 'currency'>;
/** The in-app products of one version of one app. */
export type AppProducts = z.infer<typeof appSchema>;
/** An in-app product of a rate. */
export type InAppProduct = AppProducts['products'][number];
/** A promo code and its terms. */
export type PromoCode = z.infer<typeof promoSchema>;

const duplicates = (values: readonly (string | number)[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);

/** A site's own rates of a package, else those for every site. */
export function ratesFor({ rates }: Package, siteid: number): Rate[] {
  const own = rates.filter((rate) => rate.sites?.includes(siteid));
  return own.length ? own : rates.filter((rate) => !rate.sites);
}

/** The package and rate that a rate id names. */
export function soldRate(
  { packages }: PackageData,
  rate_id: number | undefined,
): { readonly pack: Package; readonly rate: Rate } | undefined {
  return packages
    .flatMap((pack) => pack.rates.map((rate) => ({ pack, rate })))
    .find(({ rate }) => rate.rate_id === rate_id);
}

/** The in-app products of an app, in all its versions. */
export const productsOf = ({ apps }: PackageData, app_id: string): InAppProduct[] =>
  apps.filter((app) => app.app_id === app_id).flatMap(({ products }) => products);

/** The price of a rate for the members of a country, if it has one of its own. */
export const countryPrice = ({ prices }: Rate, country: string | undefined): Price | undefined =>
  prices.find(({ countries }) => country !== undefined && countries.includes(country));

/** Sites and countries where a list would show prices in several currencies. */
function mixedCurrencies(packages: readonly Package[]): string[] {
  const all = packages.flatMap(({ rates }) => rates);
  const priced = new Set(all.flatMap(({ prices }) => prices.flatMap(({ countries }) => countries)));
  const sites = new Set(all.flatMap(({ sites: some }) => some ?? []));
  return [undefined, ...sites].flatMap((site) => {
    const sold = packages.flatMap((pack) => ratesFor(pack, site ?? 0));
    return [undefined, ...priced].flatMap((country) => {
      const used = new Set(sold.map((rate) => (countryPrice(rate, country) ?? rate).currency));
      const where = `${site === undefined ? 'a site without rates of its own' : `site ${site}`}${country ? `, ${country}` : ''}`;
      return used.size > 1 ? [`${where}: prices in ${[...used].join(' and ')}`] : [];
    });
  });
}

/** A store's name for a product: with its base plan as `product:plan`, where the store has one. */
export const storeProduct = (product_id: string, base_plan_id: string | null | undefined): string =>
  base_plan_id ? `${product_id}:${base_plan_id}` : product_id;

/** The product of a store's name, without its base plan. */
export const productIdOf = (named: string): string => named.split(':')[0] ?? named;

/** Whether a product is the one that a store names. The base plan counts where both say it. */
export function isProduct(
  { product_id, base_plan_id }: Pick<InAppProduct, 'product_id' | 'base_plan_id'>,
  named: string,
): boolean {
  const [id, plan] = named.split(':');
  return id === product_id && (plan === undefined || !base_plan_id || plan === base_plan_id);
}

/** Longest period that Stripe renews, in days. */
const longestOnWeb = 1_095;

const nameOf = ({ app_platform, app_id, version }: AppProducts) => `${app_platform} ${app_id} ${version}`;

const dataSchema = z
  .strictObject({
    packages: z.array(packageSchema).min(1),
    apps: z.array(appSchema),
    promoCodes: z.array(promoSchema),
  })
  .superRefine(({ packages, apps, promoCodes }, context) => {
    const rates = packages.flatMap((pack) => pack.rates.map((rate) => rate.rate_id));
    const named = [
      ...apps.flatMap((app) => app.products.map(({ rate_id }) => ({ rate_id, by: `app ${nameOf(app)}` }))),
      ...promoCodes.flatMap((promo) =>
        promo.kind === 'free_trial' ? [{ rate_id: promo.rate_id, by: `promo code ${promo.code}` }] : [],
      ),
    ];
    const sold = [...Map.groupBy(apps, ({ app_id }) => app_id)].flatMap(([app_id, all]) => {
      const products = all.flatMap((app) => app.products);
      return products
        .filter((one) =>
          products.some(
            (other) =>
              isProduct(one, storeProduct(other.product_id, other.base_plan_id)) &&
              other.rate_id !== one.rate_id,
          ),
        )
        .map(({ product_id }) => `product_id ${product_id} of app ${app_id} is of several rates`);
    });
    const onWeb = new Set(
      apps
        .filter(({ app_platform }) => app_platform === 'web')
        .flatMap(({ products }) => products)
        .map(({ rate_id }) => rate_id),
    );
    const problems = [
      ...duplicates(packages.map((pack) => pack.package_id)).map(
        (value) => `package_id ${value} appears twice`,
      ),
      ...duplicates(rates).map((value) => `rate_id ${value} appears twice`),
      ...duplicates(promoCodes.map((promo) => promo.code)).map(
        (value) => `promo code ${value} appears twice`,
      ),
      ...packages.flatMap(({ rates: all }) =>
        all.flatMap(({ rate_id, prices }) =>
          duplicates(prices.flatMap(({ countries }) => countries)).map(
            (country) => `rate_id ${rate_id} has several prices for ${country}`,
          ),
        ),
      ),
      ...mixedCurrencies(packages),
      ...duplicates(apps.map(nameOf)).map((value) => `app ${value} appears twice`),
      ...apps.flatMap((app) =>
        duplicates(app.products.map((product) => product.rate_id)).map(
          (value) => `rate_id ${value} appears twice in app ${app.app_id}`,
        ),
      ),
      ...new Set(sold),
      ...named
        .filter(({ rate_id }) => !rates.includes(rate_id))
        .map(({ rate_id, by }) => `rate_id ${rate_id} of ${by} is no package's`),
      ...packages
        .filter(
          ({ days, rates: own }) => days > longestOnWeb && own.some(({ rate_id }) => onWeb.has(rate_id)),
        )
        .map(({ package_id }) => `package_id ${package_id} is too long to renew on the web`),
    ];
    for (const message of problems) context.addIssue({ code: 'custom', message });
  });

/** Everything that is sold and how: packages with rates, in-app products, promo codes. */
export type PackageData = z.infer<typeof dataSchema>;

/** Whether what a member pays depends on the country. */
export const hasCountryPrices = ({ packages }: PackageData): boolean =>
  packages.some(({ rates }) => rates.some(({ prices }) => prices.length > 0));

/** Checks package data; throws a ZodError that names each problem. */
export function parsePackageData(data: unknown): PackageData {
  return dataSchema.parse(data);
}

/** Reads and checks the three files of a data folder; throws with every problem. */
export function readPackageData(folder: string): PackageData {
  const read = (file: string): unknown => {
    const text = readFileSync(join(folder, file), 'utf8');
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Error(`${file}: ${errorText(error)}`, { cause: error });
    }
  };
  return parsePackageData({
    packages: read('packages.json'),
    apps: read('in-app-products.json'),
    promoCodes: read('promo-codes.json'),
  });
}
