import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { offeredLocale } from '../text/offered-locale.ts';
import { labelLocales, type LabelLocale, type Labels } from './field.ts';

/** The texts of a language by key. */
type Translations = Readonly<Partial<Record<string, string>>>;

const readTranslations = (locale: LabelLocale): Translations => {
  const file = new URL(`../../locales/${locale}.json`, import.meta.url);
  return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
};

/** The languages other than English, whose texts are in the code. */
const translations = labelLocales
  .filter((locale) => locale !== 'en_US')
  .map((locale) => [locale, readTranslations(locale)] as const);

/** The labels of an English text: its translations are in `locales` at the key. */
export function labels(key: string, en_US: string): Labels {
  return { en_US, ...Object.fromEntries(translations.map(([locale, texts]) => [locale, texts[key]])) };
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
