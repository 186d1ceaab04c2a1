import type { Position } from '@covalence/contract/position';
import type { GeneralQuery, GeolocationQuery, QueryCriterion, RangeQuery } from '../criteria/parse-forms.ts';
import { birthDates } from './birth-dates.ts';
import { constant, everyone, falling, type EsQuery } from './es-query.ts';
import { generalFilter, type CriteriaContext } from './general-filter.ts';
import type { SiteRelevance } from './relevance-settings.ts';
import { textFilter, type UsedSynonym } from './text-filter.ts';

/** One criterion as parts of an Elasticsearch query. */
export interface Clause {
  readonly name: string;
  readonly weight: number;
  /** Ignored by exactmatch. */
  readonly preference: boolean;
  /** Matches results that meet the criterion, among those that pass `limit`. */
  readonly met: EsQuery;
  /** Scores 0 to `weight` in units. */
  readonly score: EsQuery;
  /** A filter that every result must pass. */
  readonly limit?: EsQuery;
  /** The part of `weight` that `score` lacks for a text not found as typed. */
  readonly untyped: number;
  /** The synonyms by which hits of a text criterion can be found. */
  readonly synonyms: readonly UsedSynonym[];
}

type Parts = Omit<Clause, 'name' | 'weight' | 'preference' | 'untyped' | 'synonyms'> &
  Partial<Pick<Clause, 'preference' | 'untyped' | 'synonyms'>>;

/** A filter that every result passes; it is evaluated once, and every result gets the full score. */
const limiting = (filter: EsQuery, weight: number): Parts => ({
  met: everyone,
  score: constant(everyone, weight),
  limit: filter,
});

/** The best of several credits, so that a member with two of them is not counted twice. */
const best = (queries: EsQuery[]): EsQuery => ({ dis_max: { queries } });

/** Codes near a wanted value, by their best credit. */
function nearCodes({ criterion, values }: GeneralQuery): Map<number, string[]> {
  const credits = new Map<string, number>();
  for (const value of values) {
    for (const [code, credit] of Object.entries(criterion.neighbors?.[value] ?? {})) {
      if (!values.includes(code)) credits.set(code, Math.max(credit, credits.get(code) ?? 0));
    }
  }
  return Map.groupBy(credits.keys(), (code) => credits.get(code) ?? 0);
}

function generalParts(query: GeneralQuery, weight: number, context: CriteriaContext): Parts {
  const { criterion, values } = query;
  if (criterion.text) return textParts(query, weight, context);
  const met = generalFilter(criterion, values, context);
  if (criterion.hard) return limiting(met, weight);
  const near = [...nearCodes(query)].map(([credit, codes]) =>
    constant(generalFilter(criterion, codes, context), weight * credit),
  );
  const score = near.length ? best([constant(met, weight), ...near]) : constant(met, weight);
  return { met, score };
}

/** Words as typed come before words with typos and synonyms, by less than a step of relevance. */
function textParts({ criterion, values }: GeneralQuery, weight: number, context: CriteriaContext): Parts {
  const { met, asTyped, synonyms } = textFilter(criterion, values, context.relevance, context.texts);
  const untyped = context.texts.room * context.relevance.weightOf(criterion);
  const score = best([constant(asTyped, weight), constant(met, weight - untyped)]);
  return { met, score, untyped, synonyms };
}

/** The credit of an age falls in whole years up to the site's tolerance: a finer step would reveal birthdays. */
function ageParts({ from, to }: RangeQuery, weight: number, { now, relevance }: CriteriaContext): Parts {
  const tolerance = relevance.age_tolerance_years;
  const widened = (years: number): EsQuery => ({
    range: { date_of_birth: birthDates(now, from - years, to + years) },
  });
  const steps = Array.from({ length: tolerance }, (_, index) => index + 1);
  const limit = widened(tolerance);
  if (!tolerance) return limiting(limit, weight);
  const near = steps.map((years) =>
    constant(years < tolerance ? widened(years) : everyone, weight * (1 - years / (tolerance + 1))),
  );
  return { met: widened(0), score: best([constant(widened(0), weight), ...near]), limit };
}

function rangeParts(query: RangeQuery, weight: number, context: CriteriaContext): Parts {
  const { criterion, from, to } = query;
  if (criterion.name === 'age') return ageParts(query, weight, context);
  const field = `traits.${criterion.field ?? criterion.name}`;
  const line = {
    origin: (from + to) / 2,
    offset: (to - from) / 2,
    scale: context.relevance.reachOf(criterion) / 2,
  };
  return { met: { range: { [field]: { gte: from, lte: to } } }, score: falling(field, line, weight) };
}

const multiplied = (query: EsQuery, weight: number): EsQuery => ({
  function_score: { query, boost_mode: 'multiply', functions: [{ weight }] },
});

/** The smallest number of single precision: a score of few of them is a whole number of them. */
const smallest = 2 ** -149;

/** Falls by whole miles, so that order, relevance and explanations reveal no more of a position than `distance`. */
function fallingByMile(origin: Position, location: SiteRelevance['location'], weight: number): EsQuery {
  const full = Math.floor(location.full_miles);
  const reach = Math.ceil(location.zero_miles) - full;
  const line = { origin, offset: `${full}mi`, scale: `${reach / 2}mi` };
  const miles = falling('position', line, reach * smallest);
  // In two steps, because no number of single precision is large enough.
  return multiplied(multiplied(miles, 2 ** 127), (2 ** 22 * weight) / reach);
}

/** A distance with a limit filters; without one, nearer is preferred and credit falls with distance. */
function distanceParts(
  { miles }: GeolocationQuery,
  weight: number,
  origin: Position,
  relevance: SiteRelevance,
): Parts {
  const within = (distance: number): EsQuery => ({
    geo_distance: { distance: `${distance}mi`, position: origin },
  });
  if (miles !== null) return limiting(within(miles), weight);
  const { location } = relevance;
  return {
    met: within(location.full_miles),
    score: fallingByMile(origin, location, weight),
    preference: true,
  };
}

function partsOf(query: QueryCriterion, weight: number, context: CriteriaContext): Parts | undefined {
  if (query.form === 'general') return generalParts(query, weight, context);
  if (query.form === 'range') return rangeParts(query, weight, context);
  return context.origin ? distanceParts(query, weight, context.origin, context.relevance) : undefined;
}

/** Builds the clause of one criterion; `units` is the score of a weight of 1. Undefined for a distance without an origin. */
export function clauseOf(query: QueryCriterion, units: number, context: CriteriaContext): Clause | undefined {
  const { criterion } = query;
  const weight = context.relevance.weightOf(criterion);
  const parts = partsOf(query, weight * units, context);
  const preference = criterion.preference === true;
  return parts && { name: criterion.name, weight, preference, untyped: 0, synonyms: [], ...parts };
}
