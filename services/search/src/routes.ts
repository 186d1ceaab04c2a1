import type { Routes } from '@covalence/http/endpoint';
import type { SearchContext } from './context.ts';
import { search } from './searches/search.ts';

/** Every public operation of the search service. */
export const routes: Routes<SearchContext> = {
  'POST /searches': search,
  'GET /searches': search,
};
