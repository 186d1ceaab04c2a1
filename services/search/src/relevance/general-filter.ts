import type { Criterion } from '@covalence/contract/catalogue/criteria';
import { allOf, anyOf, not, type EsQuery } from './es-query.ts';
import type { SiteRelevance } from './relevance-settings.ts';

/** What general criteria are matched against. */
export interface FilterContext {
  readonly relevance: SiteRelevance;
  readonly now: Date;
  /** Countries that a postal code may belong to; null where the searcher has none. */
  readonly postalCountries: readonly (string | null)[];
}

type Filter = (values: readonly string[], context: FilterContext) => EsQuery;

/** Days since joining for which a member is `new`. */
const newDays = 30;

const dayMs = 86_400_000;

const since = (field: string, now: Date, ms: number): EsQuery => ({
  range: { [field]: { gte: new Date(now.getTime() - ms).toISOString() } },
});

const terms = (field: string, values: readonly string[]): EsQuery => ({ terms: { [field]: [...values] } });

/** A criterion of true and false: both wanted leaves it open. */
const truth =
  (holds: (context: FilterContext) => EsQuery): Filter =>
  (values, context) =>
    anyOf(values.map((value) => (value === 'true' ? holds(context) : not(holds(context)))));

/** What stands between blanks, without signs of their own; a text that is nothing else is taken as it is. */
const wordsOf = (value: string): string[] => value.match(/\S*[\p{L}\p{N}]\S*/gu) ?? [value];

/**
 * All words of any of the values: each as it is written, but for accents and a typo, or in another form as the mapping says.
 * Typos are not looked for among the stems, which are too short: of "paint" it would be "point" and not "paintng".
 */
const words =
  (field: string): Filter =>
  (values, { relevance: { text } }) => {
    const found = (query: string) =>
      anyOf([
        { match: { [field]: { query, operator: 'and', ...text } } },
        { match: { [`${field}.forms`]: { query, operator: 'and' } } },
      ]);
    return anyOf(values.map((value) => allOf(...wordsOf(value).map(found))));
  };

/** Criteria that are matched otherwise than by the codes of their own field. */
const derived: Readonly<Record<string, Filter>> = {
  state: (values) => terms('state', values),
  country: (values) => terms('country', values),
  zipcode(values, { postalCountries }) {
    const countries = postalCountries.filter((country) => country !== null);
    return countries.length ? allOf(terms('zip', values), terms('country', countries)) : terms('zip', values);
  },
  photo: truth(() => ({ term: { photo: true } })),
  new: truth(({ now }) => since('joined', now, newDays * dayMs)),
  online: truth(({ now, relevance }) =>
    allOf(since('last_seen', now, relevance.onlineMinutes * 60_000), { term: { offline: false } }),
  ),
  last_active: (values, { now }) => since('last_seen', now, Math.max(...values.map(Number)) * dayMs),
  zodiac: (values) => terms('zodiac', values),
  keywords: words('keywords'),
};

/** The filter of a general criterion: met where any of the values matches. */
export function generalFilter(
  { name, field, text }: Criterion,
  values: readonly string[],
  context: FilterContext,
): EsQuery {
  const own = derived[name];
  if (own) return own(values, context);
  const path = `traits.${field ?? name}`;
  return text ? words(path)(values, context) : terms(path, values);
}
