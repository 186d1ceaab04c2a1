import { offeredLocale } from '../text/offered-locale.ts';
import { labelLocales, type LabelLocale, type Labels } from './field.ts';

/** A text in every label locale, in the order of `labelLocales`. */
export type InFourLocales = readonly [en_US: string, es_ES: string, de_DE: string, el_GR: string];

/** The labels of a text. */
export function labels(...[en_US, es_ES, de_DE, el_GR]: InFourLocales): Labels {
  return { en_US, es_ES, de_DE, el_GR };
}

/** The label locale for a language_COUNTRY: one of the same language, else English. */
export function labelLocaleOf(locale: string): LabelLocale {
  return offeredLocale(labelLocales, locale) ?? 'en_US';
}

const known: ReadonlySet<string> = new Set(labelLocales);

const isLabelLocale = (locale: string): locale is LabelLocale => known.has(locale);

/** A label in the locale, else in another one of its language, else in English. */
export function labelIn(texts: Labels, locale: string): string {
  const exact = isLabelLocale(locale) ? texts[locale] : undefined;
  return exact ?? texts[labelLocaleOf(locale)] ?? texts.en_US;
}
