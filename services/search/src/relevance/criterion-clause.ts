import type { Position } from '@covalence/contract/position';
import type { GeneralQuery, GeolocationQuery, QueryCriterion, RangeQuery } from '../criteria/parse-forms.ts';
import { birthDates } from './birth-dates.ts';
import { constant, everyone, type EsQuery } from './es-query.ts';
import { generalFilter, type CriteriaContext } from './general-filter.ts';
import type { SiteRelevance } from './relevance-settings.ts';

/** One criterion as parts of an Elasticsearch query. */
export interface Clause {
  readonly name: string;
  readonly weight: number;
  /** Ignored by exactmatch. */
  readonly preference: boolean;
  /** Matches results that meet the criterion, among those that pass `limit`. */
  readonly met: EsQuery;
  /** Scores 0 to `weight`. */
  readonly score: EsQuery;
  /** The score that clients see, when the exact one would reveal too much. */
  readonly shownScore?: (score: number) => number;
  /** A filter that every result must pass. */
  readonly limit?: EsQuery;
}

type Parts = Omit<Clause, 'name' | 'weight' | 'preference'> & { readonly preference?: boolean };

/** A filter that every result passes; it is evaluated once, and every result gets the full score. */
const limiting = (filter: EsQuery, weight: number): Parts => ({
  met: everyone,
  score: constant(everyone, weight),
  limit: filter,
});

/** The best of several credits, so that a member with two of them is not counted twice. */
const best = (queries: EsQuery[]): EsQuery => ({ dis_max: { queries } });

/** Full weight within the line's offset, falling linearly to 0; 0 for members without a value. */
const falling = (field: string, line: object, weight: number): EsQuery => ({
  function_score: {
    // A decay on a missing field would give full credit.
    query: { exists: { field } },
    boost_mode: 'replace',
    functions: [{ linear: { [field]: { ...line, decay: 0.5 } }, weight }],
  },
});

/** Codes near a wanted value, by their best credit. */
function nearCodes({ criterion, values }: GeneralQuery): Map<number, string[]> {
  const credits = new Map<string, number>();
  for (const value of values) {
    for (const [code, credit] of Object.entries(criterion.neighbors?.[value] ?? {})) {
      if (!values.includes(code)) credits.set(code, Math.max(credit, credits.get(code) ?? 0));
    }
  }
  const byCredit = new Map<number, string[]>();
  for (const [code, credit] of credits) byCredit.set(credit, [...(byCredit.get(credit) ?? []), code]);
  return byCredit;
}

function generalParts(query: GeneralQuery, weight: number, context: CriteriaContext): Parts {
  const { criterion, values } = query;
  const met = generalFilter(criterion, values, context);
  if (criterion.hard) return limiting(met, weight);
  const near = [...nearCodes(query)].map(([credit, codes]) =>
    constant(generalFilter(criterion, codes, context), weight * credit),
  );
  const score = near.length ? best([constant(met, weight), ...near]) : constant(met, weight);
  return { met, score };
}

/** The credit of an age falls in whole years up to the site's tolerance: a finer step would reveal birthdays. */
function ageParts({ from, to }: RangeQuery, weight: number, { now, relevance }: CriteriaContext): Parts {
  const tolerance = relevance.ageToleranceYears;
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

/** The score of a distance in whole miles, so that relevance and explanations reveal no more of a position than `distance`. */
const inWholeMiles =
  ({ full_miles, zero_miles }: SiteRelevance['location'], weight: number) =>
  (score: number): number => {
    if (score <= 0 || score >= weight) return score;
    const reach = zero_miles - full_miles;
    const miles = Math.round(full_miles + (1 - score / weight) * reach);
    return weight * Math.min(1, Math.max(0, 1 - (miles - full_miles) / reach));
  };

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
  const { full_miles, zero_miles } = relevance.location;
  const line = { origin, offset: `${full_miles}mi`, scale: `${(zero_miles - full_miles) / 2}mi` };
  return {
    met: within(full_miles),
    score: falling('position', line, weight),
    shownScore: inWholeMiles(relevance.location, weight),
    preference: true,
  };
}

function partsOf(query: QueryCriterion, weight: number, context: CriteriaContext): Parts | undefined {
  if (query.form === 'general') return generalParts(query, weight, context);
  if (query.form === 'range') return rangeParts(query, weight, context);
  return context.origin ? distanceParts(query, weight, context.origin, context.relevance) : undefined;
}

/** Builds the clause of one criterion; undefined for a distance without an origin. */
export function clauseOf(query: QueryCriterion, context: CriteriaContext): Clause | undefined {
  const { criterion } = query;
  const weight = context.relevance.weightOf(criterion);
  const parts = partsOf(query, weight, context);
  return parts && { name: criterion.name, weight, preference: criterion.preference === true, ...parts };
}
