import { moneyView } from '../ledger/money.ts';
import { countryPrice, type PackageData, type Price, type Rate } from '../prices/package-data.ts';

/** A subscription that a store sells in an app. */
export interface StoreProduct {
  readonly product_id: string;
  /** Whether it can be bought now. */
  readonly isOnSale: boolean;
  /** The ISO 8601 period of each of its plans: P1W, P3M, P1Y. */
  readonly periods: readonly string[];
  /** The offers that can be bought now. */
  readonly offers: readonly string[];
  /** The price by country (ISO 3166-1). */
  readonly prices: ReadonlyMap<string, Price>;
}

/** What a comparison has found. */
export interface Comparison {
  /** What makes purchases fail, or tells members something wrong about them. */
  readonly problems: readonly string[];
  /** Prices that differ, which may be meant so. */
  readonly differences: readonly string[];
}

const daysOf = { D: [1, 1], W: [7, 7], M: [28, 31], Y: [365, 366] } as const;

/** Whether a package of so many days can be that of a period. */
function fits(days: number, period: string): boolean {
  const [, count, unit] = /^P(\d+)([DWMY])$/.exec(period) ?? [];
  if (count === undefined) return false;
  const [least, most] = daysOf[unit as keyof typeof daysOf];
  return days >= least * Number(count) && days <= most * Number(count);
}

const moneyText = ({ amount, currency }: Price) =>
  `${moneyView('en_US', currency).number(amount)} ${currency}`;

/** The prices of the store that are not those of the package data, in currencies that members see. */
function differentPrices(rate: Rate, { prices }: StoreProduct): string[] {
  const different = [...prices].flatMap(([country, price]) => {
    const own = countryPrice(rate, country) ?? rate;
    const isNamed = own !== rate || own.currency === price.currency;
    const isSame = own.amount === price.amount && own.currency === price.currency;
    return isNamed && !isSame
      ? [{ country, text: `${moneyText(own)}, ${moneyText(price)} at the store` }]
      : [];
  });
  const byText = Map.groupBy(different, ({ text }) => text);
  return [...byText].map(([text, where]) => `${text} in ${where.map(({ country }) => country).join(', ')}`);
}

/** Compares the products of an app in the package data with those of its store. */
export function compareProducts(
  { apps, packages }: PackageData,
  app_id: string,
  sold: readonly StoreProduct[],
): Comparison {
  const byId = new Map(sold.map((product) => [product.product_id, product]));
  const listed = apps.filter((app) => app.app_id === app_id).flatMap(({ products }) => products);
  const named = new Set(listed.map(({ product_id }) => product_id));
  const all = listed.map(({ product_id, rate_id, offer_id }) => {
    const product = byId.get(product_id);
    const pack = packages.find(({ rates }) => rates.some((rate) => rate.rate_id === rate_id));
    const rate = pack?.rates.find((one) => one.rate_id === rate_id);
    if (!product) return { problems: [`${product_id} is no subscription of the store`], differences: [] };
    if (!pack || !rate) return { problems: [], differences: [] };
    const unfit = product.periods.filter((period) => !fits(pack.days, period));
    return {
      problems: [
        ...(product.isOnSale ? [] : [`${product_id} is not on sale at the store`]),
        ...unfit.map(
          (period) => `${product_id} renews every ${period} at the store, its package has ${pack.days} days`,
        ),
        ...(offer_id === undefined || product.offers.includes(offer_id)
          ? []
          : [`${product_id} has no offer ${offer_id} at the store`]),
      ],
      differences: differentPrices(rate, product).map((text) => `${product_id} costs ${text}`),
    };
  });
  const unnamed = sold
    .filter(({ product_id, isOnSale }) => isOnSale && !named.has(product_id))
    .map(
      ({ product_id }) =>
        `${product_id} is on sale at the store, but of no package: its purchases are refused`,
    );
  return {
    problems: [...new Set([...all.flatMap(({ problems }) => problems), ...unnamed])],
    differences: [...new Set(all.flatMap(({ differences }) => differences))],
  };
}
