import { LRUCache } from 'lru-cache';

/** Loading the names of a locale takes longer than everything else in a record together. */
const displayNames = new LRUCache<string, Intl.DisplayNames>({ max: 100 });

function loadNames(locale: string): Intl.DisplayNames {
  const names = new Intl.DisplayNames([locale.replace('_', '-'), 'en-US'], { type: 'region' });
  displayNames.set(locale, names);
  return names;
}

/** What countries are called in a locale, by their ISO 3166-1 alpha-2 code; '' for ''. */
export function countryNames(locale: string): (code: string) => string {
  const names = displayNames.get(locale) ?? loadNames(locale);
  return (code) => (code && names.of(code)) ?? code;
}
