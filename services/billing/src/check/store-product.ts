import { moneyView } from '../ledger/money.ts';
import {
  countryPrice,
  isProduct,
  productsOf,
  soldRate,
  storeProduct,
  type InAppProduct,
  type Package,
  type PackageData,
  type Price,
  type Rate,
} from '../prices/package-data.ts';

/** A subscription that a store sells in an app. */
export interface StoreProduct {
  /** As `storeProduct` names it. */
  readonly product_id: string;
  /** Whether it can be bought now. */
  readonly isOnSale: boolean;
  /** ISO 8601: P1W, P3M, P1Y; null where that is the package's. */
  readonly period: string | null;
  /** The offers that can be bought now. */
  readonly offers: readonly string[];
  /** The price by country (ISO 3166-1). */
  readonly prices: ReadonlyMap<string, Price>;
}

/** The result of a comparison. */
export interface Comparison {
  /** Mistakes that make purchases fail, or mislead members about them. */
  readonly problems: readonly string[];
  /** Prices that differ, which may be meant so. */
  readonly differences: readonly string[];
}

const daysOf = { D: [1, 1], W: [7, 7], M: [28, 31], Y: [365, 366] } as const;

/** Whether a package of so many days can be that of a period. */
function fits(days: number, period: string | null): boolean {
  if (period === null) return true;
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

/** Problems of a package's in-app product, compared with the store's products of that name. */
function problemsOf(
  { offer_id }: InAppProduct,
  { days }: Package,
  name: string,
  sold: readonly StoreProduct[],
) {
  if (!sold.length) return [`${name} is no subscription of the store`];
  const onSale = sold.filter(({ isOnSale }) => isOnSale);
  if (!onSale.length) return [`${name} is not on sale at the store`];
  const hasOffer = offer_id === undefined || onSale.some(({ offers }) => offers.includes(offer_id));
  return [
    ...onSale
      .filter(({ period }) => !fits(days, period))
      .map(({ period }) => `${name} renews every ${period} at the store, its package has ${days} days`),
    ...(hasOffer ? [] : [`${name} has no offer ${offer_id} at the store`]),
  ];
}

/** Compares the products of an app in the package data with those of its store. */
export function compareProducts(
  data: PackageData,
  app_id: string,
  sold: readonly StoreProduct[],
): Comparison {
  const listed = productsOf(data, app_id);
  const compared = listed.flatMap((product) => {
    const found = soldRate(data, product.rate_id);
    if (!found) return [];
    const { pack, rate } = found;
    const name = storeProduct(product.product_id, product.base_plan_id);
    const same = sold.filter(({ product_id }) => isProduct(product, product_id));
    return {
      problems: problemsOf(product, pack, name, same),
      differences: same.flatMap((one) => differentPrices(rate, one)).map((text) => `${name} costs ${text}`),
    };
  });
  const unnamed = sold
    .filter(({ product_id, isOnSale }) => isOnSale && !listed.some((one) => isProduct(one, product_id)))
    .map(
      ({ product_id }) =>
        `${product_id} is on sale at the store, but of no package: its purchases are refused`,
    );
  return {
    problems: [...new Set([...compared.flatMap(({ problems }) => problems), ...unnamed])],
    differences: [...new Set(compared.flatMap(({ differences }) => differences))],
  };
}
