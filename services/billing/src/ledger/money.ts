import { codes, code } from 'currency-codes';

/** An amount in integer minor units by ISO 4217: cents for USD, yen for JPY. */
export type Money = number;

/** The currencies of ISO 4217. */
export const currencies = codes();

/** The decimal digits of a currency's minor unit by ISO 4217: 2 for USD, 0 for JPY, 3 for KWD. */
export const minorDigits = (currency: string): number => code(currency)?.digits ?? 2;

/** `numerator / denominator` rounded to the nearest integer, halves up; exact for non-negative safe integers. */
export function divideRounded(numerator: number, denominator: number): number {
  const rest = numerator % denominator;
  return (numerator - rest) / denominator + (2 * rest >= denominator ? 1 : 0);
}

/** The price per 30 days of an amount for `days` days (amount × 30 / days). */
export function perMonth(amount: Money, days: number): Money {
  return divideRounded(amount * 30, days);
}

/** `part` of `whole` in integer percent; 0 if `whole` is 0. */
export function percentOf(part: Money, whole: Money): number {
  return whole ? divideRounded(part * 100, whole) : 0;
}

/** Formats minor units for a client. */
export interface MoneyView {
  /** In major units, e.g. 29.99. */
  number(amount: Money): number;
  /** With the currency, e.g. $29.99. */
  text(amount: Money): string;
}

const views = new Map<string, MoneyView>();
/** Limit of the cache: members choose locales, so there can be many. */
const mostViews = 500;

const createView = (locale: string, currency: string): MoneyView => {
  const digits = minorDigits(currency);
  const locales = [locale.replace('_', '-'), 'en-US'];
  const { minimumFractionDigits: shown = digits } = new Intl.NumberFormat(locales, {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const format = new Intl.NumberFormat(locales, {
    style: 'currency',
    currency,
    // People write some currencies without the minor unit that they have, such as forints.
    minimumFractionDigits: Math.min(shown, digits),
    maximumFractionDigits: digits,
  });
  const minorPerMajor = 10 ** digits;
  // A single division gives the number nearest to the decimal.
  const number = (amount: Money) => amount / minorPerMajor;
  return { number, text: (amount) => format.format(number(amount)) };
};

/** The cached formatter for a locale (language_COUNTRY) and a currency (ISO 4217). */
export function moneyView(locale: string, currency: string): MoneyView {
  const key = `${locale} ${currency}`;
  const view = views.get(key) ?? createView(locale, currency);
  if (views.size >= mostViews) views.clear();
  views.set(key, view);
  return view;
}
