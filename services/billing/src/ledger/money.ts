/** An amount in integer minor units (cents for USD). */
export type Money = number;

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

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2;

/** The decimal digits of a currency's minor unit by ISO 4217, which ECMA-402 takes them from: 2 for USD, 0 for JPY, 3 for KWD. */
export const minorDigits = (currency: string): number =>
  digitsOf(new Intl.NumberFormat('en-US', { style: 'currency', currency }));

const createView = (locale: string, currency: string): MoneyView => {
  const format = new Intl.NumberFormat([locale.replace('_', '-'), 'en-US'], { style: 'currency', currency });
  const minorPerMajor = 10 ** digitsOf(format);
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
