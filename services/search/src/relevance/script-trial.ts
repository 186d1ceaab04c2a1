import type { estypes } from '@elastic/elasticsearch';
import { packIds } from '../relations/packed-ids.ts';
import { notListed } from './build-search.ts';

/**
 * A search that makes the engine compile the script of exclusions and ask it of one member, where there is any. Nobody has the
 * id 0. Not from the cache of answers: what is allowed may have changed since.
 */
export const scriptTrial: estypes.SearchRequest = {
  size: 0,
  terminate_after: 1,
  query: notListed(packIds([0])),
  request_cache: false,
  allow_partial_search_results: false,
};

/** Elasticsearch answers, and refuses the script of exclusions, by how it is set up or because it cannot compile it. */
export class ScriptRefused extends Error {
  constructor(refusal: string, cause?: unknown) {
    super(
      `Elasticsearch refuses the script of exclusions (${refusal}): searches of members with 500 relations answer 503. It has to ` +
        'allow inline scripts (script.allowed_types), the context filter (script.allowed_contexts) and search.allow_expensive_queries',
      { cause },
    );
    this.name = 'ScriptRefused';
  }
}
