import type { InternalRoutes, Routes } from '@covalence/http/endpoint';
import type { SearchContext } from './context.ts';
import { legacyMatchCriteria } from './legacy/legacy-match-criteria.ts';
import { legacySearch } from './legacy/legacy-search.ts';
import { readMatchCriteria, updateMatchCriteria } from './saved/match-criteria.ts';
import { erase } from './saved/erase-member.ts';
import { exportOf } from './saved/export-member.ts';
import { searchQuestions } from './criteria/search-questions.ts';
import {
  createSaved,
  deleteSaved,
  listSaved,
  readSaved,
  runSaved,
  updateSaved,
} from './saved/saved-searches.ts';
import { search, searchByQuery } from './searches/search.ts';

/** What clients call. */
export const routes: Routes<SearchContext> = {
  'POST /searches': search,
  'GET /searches': searchByQuery,
  'GET /searches/questions': searchQuestions,
  'GET /searches/saved': listSaved,
  'POST /searches/saved': createSaved,
  'GET /searches/saved/:id': readSaved,
  'POST /searches/saved/:id': updateSaved,
  'DELETE /searches/saved/:id': deleteSaved,
  'POST /searches/saved/:id/run': runSaved,
  'GET /members/self/criteria': readMatchCriteria,
  'POST /members/self/criteria': updateMatchCriteria,
  'POST /search': legacySearch,
  'POST /members/self/matchcriteria': legacyMatchCriteria,
};

/** What other services and the operator's tools call; the gateway never routes it. */
export const internalRoutes: InternalRoutes<'search', SearchContext> = {
  'POST /internal/members/export': exportOf,
  'POST /internal/members/erase': erase,
};
