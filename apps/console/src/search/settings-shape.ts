import type { SettingsChange } from './queries.ts';
import { isMap } from './setting-changes.ts';

const isMapOf = (read: unknown, isOne: (one: unknown) => boolean): boolean =>
  isMap(read) && Object.values(read).every(isOne);

const areWeights = (read: unknown): boolean => isMapOf(read, (weight) => typeof weight === 'number');

const areTexts = (read: unknown): boolean =>
  Array.isArray(read) && read.every((one) => typeof one === 'string');

/** Whether languages as read have the parts that are edited as texts. */
export const areLanguages = (read: unknown): boolean =>
  isMap(read) &&
  Object.keys(read).every((name) => /^[a-z]{2,3}$/.test(name)) &&
  isMapOf(read, (one) => {
    if (!isMap(one)) return false;
    const { synonyms, stemmer = '', protected: words } = one;
    return areTexts(synonyms) && typeof stemmer === 'string' && areTexts(words);
  });

/** Whether a ranking as read has the parts that sliders change. */
export function isRanking(read: unknown): boolean {
  if (!isMap(read)) return false;
  const { weights, among_equals: equals, sites } = read;
  return (
    areWeights(weights) &&
    isMap(equals) &&
    areWeights(equals['weights']) &&
    isMapOf(sites, (own) => {
      if (!isMap(own)) return false;
      const { weights: ofSite = {}, among_equals: equalsOfSite = {} } = own;
      return areWeights(ofSite) && areWeights(equalsOfSite);
    })
  );
}

/** A language with the parts that it omits, in the order of those in force. */
function wholeLanguage(read: unknown): unknown {
  if (!isMap(read)) return read;
  const { synonyms = [], stemmer, protected: words = [], ...others } = read;
  return { synonyms, ...(stemmer !== undefined && { stemmer }), protected: words, ...others };
}

function wholeRanking(read: unknown): unknown {
  if (!isMap(read)) return read;
  const { weights = {}, among_equals: equals = {}, sites = {} } = read;
  const among_equals = isMap(equals) ? { ...equals, weights: equals['weights'] ?? {} } : equals;
  return { ...read, weights, among_equals, sites };
}

/** Settings as read, with empty parts for those that are edited and omitted. Parts of another shape stay for the server to refuse. */
export function wholeSettings({ languages, relevance }: Readonly<Record<string, unknown>>): SettingsChange {
  const whole = {
    ...(languages !== undefined && {
      languages: isMap(languages)
        ? Object.fromEntries(Object.entries(languages).map(([name, one]) => [name, wholeLanguage(one)]))
        : languages,
    }),
    ...(relevance !== undefined && { relevance: wholeRanking(relevance) }),
  };
  return whole as SettingsChange;
}
