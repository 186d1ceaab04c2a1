import type { Position } from '@covalence/contract/position';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { chunks } from '@covalence/runtime/chunks';
import { sumOf } from '@covalence/runtime/sum';
import type { estypes } from '@elastic/elasticsearch';
import type { QueryCriterion } from '../criteria/parse-forms.ts';
import type { LanguageAnalysis } from '../analysis/analysis.ts';
import { newBudget } from '../analysis/expand-text.ts';
import { placeOf } from '../index/draws.ts';
import {
  equalsClauses,
  equalsSteps,
  mostScore,
  seedOf,
  typedSteps,
  type EqualsClause,
} from './among-equals.ts';
import { clauseOf, type Clause } from './criterion-clause.ts';
import { anyOf, constant, everyone, withName, type EsQuery } from './es-query.ts';
import type { SiteRelevance } from './relevance-settings.ts';
import { sortOf, type SortBy } from './sort.ts';

/** The input of the query builder. */
export interface SearchModel {
  readonly criteria: readonly QueryCriterion[];
  readonly viewer: Pick<SearchProjection, 'id' | 'siteid' | 'group' | 'gender' | 'gender_preference'>;
  /** The sites of World Plus; none if the viewer's own does not take part. */
  readonly worldPlusSites: readonly number[];
  /** Ids of excluded members. */
  readonly excluded: readonly number[];
  /** Only these members; without it, all. */
  readonly among?: readonly number[];
  readonly origin: Position | null;
  readonly postalCountries: readonly (string | null)[];
  /** Analysis of texts in the searcher's language. */
  readonly language: LanguageAnalysis;
  /** Whether hits name the synonyms by which they were found. */
  readonly explain?: boolean;
  /** Whether hits have what each criterion gave, as by default. It takes longer than the search where hits are many. */
  readonly outcomes?: boolean;
  /** Columns that hits come with, from the index: the document of a hit takes longer to read. None by default. */
  readonly columns?: readonly string[];
  readonly sortby: SortBy;
  readonly page: number;
  readonly pagesize: number;
}

/** A request to Elasticsearch, with what is needed to read its response. */
export type BuiltSearch = ReturnType<typeof buildSearch>;

/** The name of the clause that marks hits that meet every criterion; no criterion has this name. */
export const exactMatchName = 'exactmatch';

/** Results beyond this number are not returned. */
const reach = 10_000;

/** The maximum number of ids in one terms query. */
const termsLimit = 65_536;

/** Every score is above this number, from which on single precision has no fractions: sums of credits tie in whole units. */
export const baseScore = 2 ** 23;

/** At most this many units are a whole match, so that each of them has its own relevance of six digits. */
const mostUnits = 1_000_000;

/** Units of which thirds, fifteenths, hundredths and 475ths are whole: the credits of the default settings. */
const divisible = 5_700;

/** The units of a weight of 1. */
function unitsOf(totalWeight: number): number {
  const most = Math.floor(mostUnits / Math.max(1, totalWeight));
  return most < divisible ? most : most - (most % divisible);
}

/** The same group of sites, or both sites in World Plus and the member opted in. */
function sameCommunity({ viewer, worldPlusSites }: SearchModel): EsQuery {
  const group: EsQuery = { term: { group: viewer.group } };
  if (!worldPlusSites.length) return group;
  const world: EsQuery = {
    bool: { filter: [{ term: { world_plus: true } }, { terms: { siteid: [...worldPlusSites] } }] },
  };
  return anyOf([group, world]);
}

/** Visible, in the same community, and of matching genders. */
const eligible = (model: SearchModel): EsQuery[] => [
  { term: { visible: true } },
  { term: { gender: model.viewer.gender_preference } },
  { term: { gender_preference: model.viewer.gender } },
  sameCommunity(model),
  ...(model.among ? [{ terms: { id: [...model.among] } }] : []),
];

/** The searcher and the excluded members, in as many terms queries as are needed. */
const exclusions = ({ viewer, excluded }: SearchModel): EsQuery[] => [
  { term: { id: viewer.id } },
  ...Array.from(chunks(excluded, termsLimit), (id) => ({ terms: { id } })),
];

/** Matches if every criterion is met that is not a preference. Its weight is 0, so that it only marks hits. */
const exactMatch = (clauses: readonly Clause[]): EsQuery =>
  constant({ bool: { filter: clauses.filter(({ preference }) => !preference).map(({ met }) => met) } }, 0);

function pageOf({ page, pagesize }: SearchModel): { from: number; size: number } {
  const from = (page - 1) * pagesize;
  return from >= reach ? { from: 0, size: 0 } : { from, size: Math.min(pagesize, reach - from) };
}

/** The request of a search whose criteria and order among equals are these clauses. */
function requestOf(
  model: SearchModel,
  clauses: readonly Clause[],
  equals: readonly EqualsClause[],
  sort: estypes.SortOptions[],
): estypes.SearchRequest {
  const { columns, outcomes = true } = model;
  const named = outcomes ? withName : (query: EsQuery) => query;
  return {
    ...pageOf(model),
    query: {
      bool: {
        filter: [...eligible(model), ...clauses.flatMap(({ limit }) => limit ?? [])],
        must: [constant(everyone, baseScore)],
        must_not: exclusions(model),
        should: [
          ...clauses.map(({ name, score }) => named(score, name)),
          ...(outcomes ? [withName(exactMatch(clauses), exactMatchName)] : []),
          ...equals.map(({ name, score }) => named(score, name)),
        ],
      },
    },
    sort,
    // Replicas are refreshed at different times: all pages of a member come from the same one.
    preference: `member-${model.viewer.id}`,
    track_total_hits: true,
    include_named_queries_score: outcomes,
    allow_partial_search_results: false,
    // The sort values end with the id, so no stored field is read.
    _source: false,
    stored_fields: '_none_',
    ...(columns && { docvalue_fields: [...columns] }),
    filter_path: [
      'hits.total',
      'hits.hits.sort',
      'hits.hits.matched_queries',
      ...(columns ? ['hits.hits.fields'] : []),
    ],
  };
}

/**
 * Builds one Elasticsearch request. Hard limits are filters; each criterion has a clause, named after it, that scores 0 to its weight in
 * units, so relevance is the score divided by that of a whole match.
 */
export function buildSearch(model: SearchModel, relevance: SiteRelevance, now: Date) {
  const { origin, postalCountries, language, explain = false, outcomes = true } = model;
  // A distance needs an origin.
  const measurable = model.criteria.filter(({ form }) => form !== 'geolocation' || origin);
  const weigh = (queries: readonly QueryCriterion[]) =>
    sumOf(queries, ({ criterion }) => relevance.weightOf(criterion));
  const totalWeight = weigh(measurable);
  const textWeight = weigh(measurable.filter(({ criterion }) => criterion.text));
  const hasTexts = textWeight > 0;
  const units = unitsOf(totalWeight);
  const seed = seedOf(model.viewer.id, now);
  const most = mostScore(hasTexts);
  const equals = equalsClauses(relevance.among_equals, { now, seed, most });
  // Between two units of relevance the score has room for the order among equals.
  const steps = equals.length || hasTexts ? equalsSteps : 1;
  // One step less than there are, because scores are rounded.
  const room = hasTexts ? (typedSteps - 1) / textWeight : 0;
  const texts = { language, budget: newBudget(), room, explain };
  const context = { relevance, now, origin, postalCountries, texts };
  const clauses = measurable.flatMap((query) => clauseOf(query, units * steps, context) ?? []);
  const sort = sortOf(model.sortby, origin, equals.length ? placeOf(seed) : undefined);
  return {
    request: requestOf(model, clauses, equals, sort),
    /** The clauses that hits name. */
    clauses: outcomes ? clauses : [],
    equals: outcomes ? equals : [],
    /** The score of one unit. */
    steps,
    /** The most that a score lacks for words that are not found as typed. */
    untyped: hasTexts ? typedSteps : 0,
    /** The most that the order among equals adds. */
    most,
    /** The score of a weight of 1. */
    units: units * steps,
    /** The score of a whole match. */
    totalUnits: totalWeight * units * steps,
    /** Index of the score in the sort values of a hit. */
    scoreAt: sort.findIndex((one) => '_score' in one),
    /** Whether the first sort value of a hit is its distance in miles. */
    byDistance: model.sortby === 'distance' && origin !== null,
  };
}
