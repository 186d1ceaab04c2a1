import { LRUCache } from 'lru-cache';

/** Cached, because loading the names of a locale is slow. */
const displayNames = new LRUCache<string, Intl.DisplayNames>({ max: 100 });

function loadNames(locale: string): Intl.DisplayNames {
  const names = new Intl.DisplayNames([locale.replace('_', '-'), 'en-US'], { type: 'region' });
  displayNames.set(locale, names);
  return names;
}

/** Returns the name of a country in a locale by its ISO 3166-1 alpha-2 code; '' for ''. */
export function countryNames(locale: string): (code: string) => string {
  const names = displayNames.get(locale) ?? loadNames(locale);
  return (code) => (code && names.of(code)) ?? code;
}
