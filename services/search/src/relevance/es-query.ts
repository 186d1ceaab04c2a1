import type { estypes } from '@elastic/elasticsearch';

/** A clause of Elasticsearch's query language. */
export type EsQuery = estypes.QueryDslQueryContainer;

/** Matches where any of the clauses does, of which there is at least one. */
export const anyOf = (queries: EsQuery[]): EsQuery =>
  queries.length === 1 && queries[0] ? queries[0] : { bool: { should: queries, minimum_should_match: 1 } };

/** Matches where all of the clauses do. */
export const allOf = (...queries: EsQuery[]): EsQuery => ({ bool: { filter: queries } });

/** Matches every member; for what a limit of the same search says already. */
export const everyone: EsQuery = { match_all: {} };

/** Matches where the clause does not. */
export const not = (query: EsQuery): EsQuery => ({ bool: { must_not: query } });

/** A filter as a clause that scores `boost` wherever it matches. */
export const constant = (filter: EsQuery, boost: number): EsQuery => ({ constant_score: { filter, boost } });
