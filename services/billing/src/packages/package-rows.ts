import type { LabelLocale } from '@covalence/contract/catalogue/field';
import { labelIn } from '@covalence/contract/catalogue/labels';
import { z } from 'zod';
import {
  divideRounded,
  moneyView,
  percentOf,
  perMonth,
  type Money,
  type MoneyView,
} from '../ledger/money.ts';
import type { Offer } from '../prices/offers.ts';
import type { PromoCode } from '../prices/package-data.ts';
import promoTexts from './promo-errors.json' with { type: 'json' };
import { discountOf, type PromoOutcome, type PromoProblem } from '../prices/promo.ts';

/** Texts of promo_error by locale. */
const promoErrors: Record<PromoProblem, Record<LabelLocale, string>> = promoTexts;

const text = z.string();
const number = z.number();

/** One row of GET /packages. */
export const packageRecord = z
  .strictObject({
    package_id: z.int().meta({ examples: [3] }),
    rate_id: z.int().meta({ examples: [301] }),
    name: text.meta({ examples: ['6 months'] }),
    amount: number.meta({ examples: [71.95] }),
    amount_fmt: text.meta({ examples: ['$71.95'] }),
    amount_monthly: number.meta({ examples: [11.99] }),
    amount_monthly_fmt: text.meta({ examples: ['$11.99'] }),
    days: z.int().meta({ examples: [180] }),
    currency_code: text.length(3).meta({ examples: ['USD'] }),
    savings: number.optional().meta({ examples: [107.99] }),
    savings_fmt: text.optional().meta({ examples: ['$107.99'] }),
    savings_percentage: number.optional().meta({ examples: [60] }),
    discount: number.optional().meta({ examples: [17.99] }),
    discount_fmt: text.optional().meta({ examples: ['$17.99'] }),
    original: number.optional().meta({ examples: [89.94] }),
    original_fmt: text.optional().meta({ examples: ['$89.94'] }),
    original_monthly: number.optional().meta({ examples: [14.99] }),
    original_monthly_fmt: text.optional().meta({ examples: ['$14.99'] }),
    percentage: number.optional().meta({ examples: [20] }),
    promo_error: text.optional(),
    trial_length: z.int().optional(),
    app_product_id: text.optional(),
    base_plan_id: text
      .optional()
      .meta({ description: 'The base plan to buy, where the product of Google Play has several.' }),
    offer_id: text.optional(),
  })
  .meta({ id: 'PackageRecord', description: 'A package and rate.' });

/** A package at a rate, for clients. */
type PackageRecord = z.infer<typeof packageRecord>;

/** A price per day as an exact fraction: minor units over days. */
interface DailyPrice {
  readonly amount: Money;
  readonly days: number;
}

const dailyPrice = ({ pack, amount }: Offer): DailyPrice => ({ amount, days: pack.days });

const dearer = (a: DailyPrice, b: DailyPrice) => (a.amount * b.days >= b.amount * a.days ? a : b);

/** Savings: dearest non-discounted rate × days − amount; undefined if not positive. */
function savingsFields(amount: Money, days: number, dearest: DailyPrice, money: MoneyView) {
  const equivalent = divideRounded(dearest.amount * days, dearest.days);
  const savings = equivalent - amount;
  if (savings <= 0) return {};
  return {
    savings: money.number(savings),
    savings_fmt: money.text(savings),
    savings_percentage: percentOf(savings, equivalent),
  };
}

/** The fields that a valid promo code adds: the original price and the discount. */
function discountFields(promo: PromoCode, original: Money, discount: Money, days: number, money: MoneyView) {
  const monthly = perMonth(original, days);
  return {
    discount: money.number(discount),
    discount_fmt: money.text(discount),
    original: money.number(original),
    original_fmt: money.text(original),
    original_monthly: money.number(monthly),
    original_monthly_fmt: money.text(monthly),
    percentage: promo.kind === 'percentage' ? promo.percentage : percentOf(discount, original),
    ...(promo.kind === 'free_trial' && { trial_length: promo.trial_days }),
  };
}

const productFields = ({ product }: Offer) => ({
  ...(product && { app_product_id: product.product_id }),
  ...(product?.base_plan_id && { base_plan_id: product.base_plan_id }),
  ...(product?.offer_id && { offer_id: product.offer_id }),
});

/** A free trial is one package and rate only. */
const listed = (offers: readonly Offer[], promo: PromoCode | undefined) =>
  promo?.kind === 'free_trial' ? offers.filter(({ rate }) => rate.rate_id === promo.rate_id) : offers;

/**
 * The rows of GET /packages in the order of the offers. Savings compare with the dearest offer per day, without promo code. An invalid
 * promo code adds its reason to every row. `locale` is language_COUNTRY.
 */
export function packageRows(
  offers: readonly Offer[],
  outcome: PromoOutcome | undefined,
  locale: string,
): PackageRecord[] {
  const promo = outcome?.valid ? outcome.promo : undefined;
  const promoError = outcome && !outcome.valid && labelIn(promoErrors[outcome.problem], locale);
  const dearest = offers.map(dailyPrice).reduce(dearer, { amount: 0, days: 1 });

  return listed(offers, promo).map((offer) => {
    const { pack, rate, amount: original, currency } = offer;
    const money = moneyView(locale, currency);
    const discount = promo ? discountOf(promo, original) : 0;
    const amount = original - discount;
    const monthly = perMonth(amount, pack.days);
    return {
      package_id: pack.package_id,
      rate_id: rate.rate_id,
      name: labelIn(pack.names, locale),
      amount: money.number(amount),
      amount_fmt: money.text(amount),
      amount_monthly: money.number(monthly),
      amount_monthly_fmt: money.text(monthly),
      days: pack.days,
      currency_code: currency,
      ...savingsFields(amount, pack.days, dearest, money),
      ...(promo && discountFields(promo, original, discount, pack.days, money)),
      ...(promoError && { promo_error: promoError }),
      ...productFields(offer),
    };
  });
}
