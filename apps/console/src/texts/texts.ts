import { createInstance, type i18n } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type english from './en-us.json';

/** The languages of the console, as they name themselves. */
export const languages = {
  'de-DE': 'Deutsch',
  'el-GR': 'Ελληνικά',
  'en-US': 'English',
  'es-ES': 'Español',
  'fr-FR': 'Français',
  'tr-TR': 'Türkçe',
} as const;

/** A language of the console. */
export type Language = keyof typeof languages;

/** A text of the catalogs. */
export type TextKey = keyof typeof english;

const all = Object.keys(languages) as Language[];
const standard: Language = 'en-US';
const storedName = 'covalence-language';
const catalogs = import.meta.glob<typeof english>('./*.json', { import: 'default' });

const named = (tag: string) => all.find((one) => one.split('-')[0] === tag.toLowerCase().split('-')[0]);

/** The first of the wanted languages that there is; countries do not count. */
function chooseLanguage(wanted: readonly string[]): Language {
  return wanted.map(named).find((one) => one !== undefined) ?? standard;
}

/** language_COUNTRY, as the hosted pages take it. */
export const localeOf = (language: string): string => language.replace('-', '_');

/** Shows the texts of a language. */
async function showLanguage(texts: i18n, language: Language): Promise<void> {
  const load = catalogs[`./${language.toLowerCase()}.json`];
  if (load) texts.addResourceBundle(language, 'translation', await load());
  await texts.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Remembers the language that a person chose in this browser. */
async function rememberLanguage(texts: i18n, language: Language): Promise<void> {
  localStorage.setItem(storedName, language);
  await showLanguage(texts, language);
}

/** Starts with the language that was chosen before, else with the browser's. */
export async function startTexts(): Promise<i18n> {
  const texts = createInstance().use(initReactI18next);
  await texts.init({ fallbackLng: false, keySeparator: false, interpolation: { escapeValue: false } });
  await showLanguage(texts, chooseLanguage([localStorage.getItem(storedName) ?? '', ...navigator.languages]));
  return texts;
}

/** The texts in the person's language: `text('search.repeats', { version: 3 })`. */
export function useTexts() {
  const { t, i18n } = useTranslation();
  return {
    text: (key: TextKey, values: Readonly<Record<string, string | number>> = {}) => t(key, values),
    /** The text of a value that the API answers; the value itself where a newer API answers another one. */
    valueText: (of: string, value: string) =>
      i18n.exists(`${of}.${value}`) ? i18n.t(`${of}.${value}`) : value,
    language: i18n.language as Language,
    choose: (language: Language) => rememberLanguage(i18n, language),
  };
}
