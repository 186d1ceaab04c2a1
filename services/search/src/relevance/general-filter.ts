import type { Criterion } from '@covalence/contract/catalogue/criteria';
import type { Position } from '@covalence/contract/position';
import { dayMs } from '@covalence/contract/time';
import { allOf, anyOf, not, type EsQuery } from './es-query.ts';
import type { SiteRelevance } from './relevance-settings.ts';
import type { TextContext } from './text-filter.ts';

/** The context of criteria. */
export interface CriteriaContext {
  readonly relevance: SiteRelevance;
  readonly now: Date;
  /** Distances are measured from here; null if unknown. */
  readonly origin: Position | null;
  /** Countries that a postal code may belong to; null if the searcher has none. */
  readonly postalCountries: readonly (string | null)[];
  readonly texts: TextContext;
}

type Filter = (values: readonly string[], context: CriteriaContext) => EsQuery;

/** Days since joining for which a member is `new`. */
export const newDays = 30;

const since = (field: string, now: Date, ms: number): EsQuery => ({
  range: { [field]: { gte: new Date(now.getTime() - ms).toISOString() } },
});

const terms = (field: string, values: readonly string[]): EsQuery => ({ terms: { [field]: [...values] } });

/** A boolean criterion; with both values it matches everyone. */
const truth =
  (holds: (context: CriteriaContext) => EsQuery): Filter =>
  (values, context) =>
    anyOf(values.map((value) => (value === 'true' ? holds(context) : not(holds(context)))));

/** Criteria that are not matched by the codes of a field of the same name. */
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
    allOf(since('last_seen', now, relevance.online_minutes * 60_000), { term: { offline: false } }),
  ),
  last_active: (values, { now }) => since('last_seen', now, Math.max(...values.map(Number)) * dayMs),
  zodiac: (values) => terms('zodiac', values),
};

/** The filter of a general criterion that is no text: matches if any of the values does. */
export function generalFilter(
  { name, field }: Criterion,
  values: readonly string[],
  context: CriteriaContext,
): EsQuery {
  const own = derived[name];
  if (own) return own(values, context);
  return terms(`traits.${field ?? name}`, values);
}
