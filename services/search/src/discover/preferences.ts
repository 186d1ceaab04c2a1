import type { Sites } from '@covalence/contract/sites';
import { sumOf } from '@covalence/runtime/sum';
import { predicateOf, type Predicate, type Candidate } from '../predicates/criterion-predicates.ts';
import type { QueryCriterion } from '../criteria/parse-forms.ts';
import { parseSearch } from '../criteria/parse-search.ts';
import { searcherOf } from '../criteria/searcher.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import type { VisibleSource } from '../index/member-document.ts';
import { siteRelevance, type RelevanceSettings } from '../relevance/relevance-settings.ts';
import { postalPosition } from '../searches/search-center.ts';
import type { Position } from '@covalence/contract/position';

/** A member's match criteria for others, except texts. */
export interface Preferences {
  /** Predicates that another member must pass, all of them, to be met. */
  readonly limits: readonly Predicate[];
  readonly wanted: readonly {
    readonly field: string;
    readonly weight: number;
    readonly predicate: Predicate;
  }[];
}

/** The member whose preferences they are. */
type Chooser = Pick<VisibleSource, 'siteid' | 'country' | 'position' | 'platinum_until'>;

interface PreferencesOptions {
  readonly sites: Sites;
  readonly relevance: RelevanceSettings;
  readonly now: Date;
}

const isLimit = ({ form, criterion }: QueryCriterion) => criterion.hard === true || form === 'geolocation';

/** Origins are rounded to the centers of cells of this many degrees, whose corners are at most so many miles from them. */
const cell = { degrees: 0.25, miles: 13 };

const toCenter = (degrees: number) => (Math.floor(degrees / cell.degrees) + 0.5) * cell.degrees;

/** The origin of a member's distances, rounded: members missing from a feed would reveal an exact edge. */
const coarsely = (origin: Position | null): Position | null =>
  origin && { lat: toCenter(origin.lat), lon: toCenter(origin.lon) };

function originOf(
  { criteria }: { criteria: readonly QueryCriterion[] },
  own: Position | null,
): Position | null {
  const of = criteria.find((query) => query.form === 'geolocation')?.of;
  if (of?.kind === 'point') return of.position;
  return of?.kind === 'zip' ? postalPosition(of.zip, of.country) : own;
}

/** The limit on ages is as wide as that of a search; that on distances never leaves out who is within. */
function widened(query: QueryCriterion, years: number): QueryCriterion {
  if (query.form === 'geolocation' && query.miles !== null)
    return { ...query, miles: query.miles + cell.miles };
  return query.form === 'range' && query.criterion.name === 'age'
    ? { ...query, from: query.from - years, to: query.to + years }
    : query;
}

/** Criteria that reveal a place more exactly than a cell, with an account in each: they count only where their member looks for others. */
const places: ReadonlySet<string> = new Set(['zipcode']);

const noPreferences: Preferences = { limits: [], wanted: [] };

/** Compiles match criteria. Those that their member may not use, or no longer, ask nothing. */
export function preferencesOf(
  chooser: Chooser,
  stored: StoredCriteria,
  options: PreferencesOptions,
): Preferences {
  if (!Object.keys(stored).length) return noPreferences;
  const { sites, relevance, now } = options;
  const { siteid, country, position, platinum_until: until } = chooser;
  const platinum = until !== null && Date.parse(until) > now.getTime();
  const parsed = parseSearch(
    stored,
    searcherOf({ member: { siteid, country }, platinum, position }, { sites }),
  );
  const { age_tolerance_years: tolerance, text, weightOf } = siteRelevance(relevance, siteid);
  const context = {
    origin: coarsely(originOf(parsed, position)),
    postalCountries: parsed.postalCountries,
    rules: [],
    typos: text,
  };
  const codes = parsed.criteria.filter(({ criterion }) => !criterion.text && !places.has(criterion.name));
  return {
    limits: codes.filter(isLimit).flatMap((query) => predicateOf(widened(query, tolerance), context) ?? []),
    wanted: codes.flatMap((query) => {
      const predicate = predicateOf(query, context);
      const { name, field = name } = query.criterion;
      return predicate && query.form !== 'geolocation'
        ? [{ field, weight: weightOf(query.criterion), predicate }]
        : [];
    }),
  };
}

/** Whether a member is within all limits. */
export const isWithinLimits = ({ limits }: Preferences, candidate: Candidate): boolean =>
  limits.every((predicate) => predicate(candidate));

/** Steps in which preferences are met, so that an order does not reveal them one by one. */
const steps = 3;

/** The share of the preferences that a member meets, in steps from 0 to 1; 1 without preferences. */
export function shareMet({ wanted }: Preferences, candidate: Candidate): number {
  const total = sumOf(wanted, ({ weight }) => weight);
  const met = sumOf(wanted, ({ weight, predicate }) => (predicate(candidate) ? weight : 0));
  return total ? Math.round((met / total) * steps) / steps : 1;
}
