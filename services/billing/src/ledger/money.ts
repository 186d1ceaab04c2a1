/** An amount of money in whole minor units (cents for USD). Amounts are added, compared and divided as integers only. */
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

/** Which part of `whole` the `part` is, in whole percent; 0 of nothing. */
export function percentOf(part: Money, whole: Money): number {
  return whole ? divideRounded(part * 100, whole) : 0;
}

/** Turns minor units into what a client sees: the plain number and the text of its locale. */
export interface MoneyView {
  /** In major units, e.g. 29.99. */
  number(amount: Money): number;
  /** With the currency, e.g. $29.99. */
  text(amount: Money): string;
}

const views = new Map<string, MoneyView>();
/** Members name their locales, of which there are more than formats that are worth keeping. */
const mostViews = 500;

const createView = (locale: string, currency: string): MoneyView => {
  const format = new Intl.NumberFormat([locale.replace('_', '-'), 'en-US'], { style: 'currency', currency });
  const minorPerMajor = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
  // The one place where an amount stops being an integer: a single division, so the nearest number to the decimal.
  const number = (amount: Money) => amount / minorPerMajor;
  return { number, text: (amount) => format.format(number(amount)) };
};

/** The view for a locale (language_COUNTRY) and a currency (ISO 4217); kept, because creating a format is slow. */
export function moneyView(locale: string, currency: string): MoneyView {
  const key = `${locale} ${currency}`;
  const view = views.get(key) ?? createView(locale, currency);
  if (views.size >= mostViews) views.clear();
  views.set(key, view);
  return view;
}
