import { useTexts } from '../texts/texts.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats for times, numbers and places, in the language of the person. */
export function useFormats() {
  const { language } = useTexts();
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const months = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const regions = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return {
    time: (at: string) => moment.format(new Date(at)),
    /** A month, from `2026-07`. */
    month: (month: string) => months.format(new Date(`${month}-01T00:00:00Z`)),
    /** The time of day with seconds. */
    clock: (at: string) => clock.format(new Date(at)),
    /** Formats a number with at most, or exactly, this many decimals. */
    number: (value: number, digits: number, least = 0) =>
      new Intl.NumberFormat(language, {
        maximumFractionDigits: digits,
        minimumFractionDigits: least,
      }).format(value),
    /** Formats a number, however small, with this many significant digits. */
    significant: (value: number, digits: number) =>
      new Intl.NumberFormat(language, { maximumSignificantDigits: digits }).format(value),
    /** Time that an entry has waited: “3 hr” */
    waited: (since: string): string => {
      const passed = Date.now() - new Date(since).getTime();
      const [unit, ms] = units.find(([, each]) => passed >= each) ?? units[2];
      const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' });
      return format.format(Math.max(1, Math.floor(passed / ms)));
    },
    /** Hours in words, in days where they are some: “3 days” */
    hours: (count: number): string => {
      const [unit, value] = count % 24 ? ['hour', count] : ['day', count / 24];
      return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
    },
    /** An amount in minor units. */
    money: (amount: number, currency: string): string => {
      const format = new Intl.NumberFormat(language, { style: 'currency', currency });
      return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
    },
    country: (code: string) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code),
  };
}
