import type { SearchProjection } from '@covalence/contract/search-projection';
import type { Position } from '@covalence/contract/position';
import { chunks } from '@covalence/runtime/chunks';
import type { estypes } from '@elastic/elasticsearch';
import type { QueryCriterion } from '../criteria/query-criterion.ts';
import { clauseOf, type Clause } from './criterion-clause.ts';
import { anyOf, constant, type EsQuery } from './es-query.ts';
import type { SiteRelevance } from './relevance-settings.ts';
import { sortOf, type SortBy } from './sort.ts';

/** A search as the query builder takes it: checked criteria, who searches, and the page wanted. */
export interface SearchModel {
  readonly criteria: readonly QueryCriterion[];
  readonly viewer: Pick<SearchProjection, 'id' | 'siteid' | 'group' | 'gender' | 'gender_preference'>;
  /** Sites that take part in World Plus; none where the viewer's own does not. */
  readonly worldPlusSites: readonly number[];
  /** Ids of members left out. */
  readonly excluded: readonly number[];
  readonly origin: Position | null;
  readonly postalCountries: readonly (string | null)[];
  readonly sortby: SortBy;
  readonly page: number;
  readonly pagesize: number;
}

/** A search as Elasticsearch takes it, with what is needed to read its answer. */
export interface BuiltSearch {
  readonly request: estypes.SearchRequest;
  readonly clauses: readonly Clause[];
  readonly totalWeight: number;
  /** Whether the first sort value of a hit is its distance in miles. */
  readonly byDistance: boolean;
}

/** The name of the clause by which hits that meet every criterion are known; no criterion has it. */
export const exactMatchName = 'exactmatch';

/** Results that a search reaches; later pages are empty. */
const reach = 10_000;

/** Most ids that one terms query takes. */
const termsLimit = 65_536;

/** The same equivalence group, or both sites in World Plus and the member opted in. */
function sameCommunity({ viewer, worldPlusSites }: SearchModel): EsQuery {
  const group: EsQuery = { term: { group: viewer.group } };
  if (!worldPlusSites.length) return group;
  const world: EsQuery = {
    bool: { filter: [{ term: { world_plus: true } }, { terms: { siteid: [...worldPlusSites] } }] },
  };
  return anyOf([group, world]);
}

/** Visible, of one community, and gender rules both ways. */
const eligible = (model: SearchModel): EsQuery[] => [
  { term: { visible: true } },
  { term: { gender: model.viewer.gender_preference } },
  { term: { gender_preference: model.viewer.gender } },
  sameCommunity(model),
];

/** The searcher and the members left out, in clauses of as many ids as a terms query takes. */
const leftOut = ({ viewer, excluded }: SearchModel): EsQuery[] => [
  { term: { id: viewer.id } },
  ...Array.from(chunks(excluded, termsLimit), (id) => ({ terms: { id } })),
];

const withName = (query: EsQuery, _name: string): EsQuery => ({ bool: { must: [query], _name } });

/** Met where every criterion is that is no preference; a constant of no weight, so that it only marks hits. */
const exactMatch = (clauses: readonly Clause[]): EsQuery =>
  constant({ bool: { filter: clauses.filter(({ preference }) => !preference).map(({ met }) => met) } }, 0);

function pageOf({ page, pagesize }: SearchModel): { from: number; size: number } {
  const from = (page - 1) * pagesize;
  return from >= reach ? { from: 0, size: 0 } : { from, size: Math.min(pagesize, reach - from) };
}

/**
 * Turns a search into one Elasticsearch request: hard limits filter; one clause per criterion, named after it, scores
 * 0 to its weight; so relevance is the score over the sum of weights. Pure: the same model, settings and time
 * give the same request.
 */
export function buildSearch(model: SearchModel, relevance: SiteRelevance, now: Date): BuiltSearch {
  const { origin, postalCountries } = model;
  const context = { relevance, now, origin, postalCountries };
  const clauses = model.criteria.flatMap((query) => clauseOf(query, context) ?? []);
  const sort = sortOf(model.sortby, origin);
  return {
    clauses,
    totalWeight: clauses.reduce((sum, { weight }) => sum + weight, 0),
    byDistance: model.sortby === 'distance' && origin !== null,
    request: {
      ...pageOf(model),
      query: {
        bool: {
          filter: [...eligible(model), ...clauses.flatMap(({ limit }) => limit ?? [])],
          must_not: leftOut(model),
          should: [
            ...clauses.map(({ name, score }) => withName(score, name)),
            withName(exactMatch(clauses), exactMatchName),
          ],
        },
      },
      sort,
      // One copy of the index for all pages of a member: copies are refreshed at different moments.
      preference: `member-${model.viewer.id}`,
      track_total_hits: true,
      include_named_queries_score: true,
      allow_partial_search_results: false,
      _source: false,
      // The order ends with the id: nothing has to be read of where documents are stored.
      stored_fields: '_none_',
      filter_path: ['hits.total', 'hits.hits.sort', 'hits.hits.matched_queries'],
    },
  };
}
