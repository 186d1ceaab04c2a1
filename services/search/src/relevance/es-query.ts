import type { estypes } from '@elastic/elasticsearch';

/** A clause of Elasticsearch's query language. */
export type EsQuery = estypes.QueryDslQueryContainer;

/** Matches if any of the clauses does; there must be at least one. */
export const anyOf = (queries: EsQuery[]): EsQuery =>
  queries.length === 1 && queries[0] ? queries[0] : { bool: { should: queries, minimum_should_match: 1 } };

/** Matches if all of the clauses do. */
export const allOf = (...queries: EsQuery[]): EsQuery => ({ bool: { filter: queries } });

/** Matches every member: for criteria that are a limit of the search already. */
export const everyone: EsQuery = { match_all: {} };

/** Matches if the clause does not. */
export const not = (query: EsQuery): EsQuery => ({ bool: { must_not: query } });

/** Hits have this name where the clause matched, with its score. */
export const withName = (query: EsQuery, _name: string): EsQuery => ({ bool: { must: [query], _name } });

/** Scores `boost` if the filter matches. */
export const constant = (filter: EsQuery, boost: number): EsQuery => ({ constant_score: { filter, boost } });

/** Full weight within the line's offset, falling linearly to 0; 0 for members without a value. */
export const falling = (field: string, line: object, weight: number): EsQuery => ({
  function_score: {
    // A decay on a missing field would give full credit.
    query: { exists: { field } },
    boost_mode: 'replace',
    functions: [{ linear: { [field]: { ...line, decay: 0.5 } }, weight }],
  },
});
