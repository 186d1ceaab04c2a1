import type { InternalRoutes, Routes } from '@covalence/http/endpoint';
import { answerDeadLetters, answerSettling, answerStatus } from '@covalence/http/operations';
import { countOfMatches } from './alerts/count-matches.ts';
import type { Context } from './context.ts';
import { searchQuestions } from './criteria/search-questions.ts';
import { readDaily } from './discover/daily.ts';
import { readFeed } from './discover/feed.ts';
import { exportJudgments, importJudgments, rateResults } from './judgments/staff-ratings.ts';
import { listJudgmentRuns, runJudgments, showJudgmentRun } from './judgments/staff-runs.ts';
import {
  addJudgedSearch,
  createJudgmentSet,
  deleteJudgmentSet,
  listJudgmentSets,
  removeJudgedSearch,
  showJudgmentSet,
} from './judgments/staff-sets.ts';
import { legacyMatchCriteria } from './legacy/legacy-match-criteria.ts';
import { legacySearch } from './legacy/legacy-search.ts';
import { readMatchCriteria, updateMatchCriteria } from './saved/match-criteria.ts';
import { erase } from './privacy/erase-member.ts';
import { exportOf } from './privacy/export-member.ts';
import {
  createSaved,
  deleteSaved,
  listSaved,
  readSaved,
  runSaved,
  updateSaved,
} from './saved/saved-searches.ts';
import { search, searchByQuery } from './searches/search.ts';
import { compareSearch } from './workbench/staff-comparison.ts';
import { beginExperiment, listExperiments, stopExperiment } from './workbench/staff-experiments.ts';
import { showIndex } from './workbench/staff-search.ts';
import { showUsage } from './workbench/staff-usage.ts';
import { publishStaffSettings, rollBackStaffSettings, showSettings } from './publishing/staff-settings.ts';

/** Endpoints for clients and staff. */
export const routes: Routes<Context> = {
  'POST /searches': search,
  'GET /searches': searchByQuery,
  'GET /searches/questions': searchQuestions,
  'GET /searches/saved': listSaved,
  'POST /searches/saved': createSaved,
  'GET /searches/saved/:id': readSaved,
  'POST /searches/saved/:id': updateSaved,
  'DELETE /searches/saved/:id': deleteSaved,
  'POST /searches/saved/:id/run': runSaved,
  'GET /discover': readFeed,
  'GET /discover/daily': readDaily,
  'GET /members/self/criteria': readMatchCriteria,
  'POST /members/self/criteria': updateMatchCriteria,
  'POST /search': legacySearch,
  'POST /members/self/matchcriteria': legacyMatchCriteria,
  'GET /staff/search/index': showIndex,
  'GET /staff/search/settings': showSettings,
  'POST /staff/search/settings': publishStaffSettings,
  'POST /staff/search/settings/rollback': rollBackStaffSettings,
  'POST /staff/search/comparisons': compareSearch,
  'GET /staff/search/experiments': listExperiments,
  'POST /staff/search/experiments': beginExperiment,
  'POST /staff/search/experiments/:name/stop': stopExperiment,
  'GET /staff/search/usage': showUsage,
  'GET /staff/search/judgment-sets': listJudgmentSets,
  'POST /staff/search/judgment-sets': createJudgmentSet,
  'GET /staff/search/judgment-sets/:id': showJudgmentSet,
  'DELETE /staff/search/judgment-sets/:id': deleteJudgmentSet,
  'POST /staff/search/judgment-sets/:id/searches': addJudgedSearch,
  'DELETE /staff/search/judgment-sets/:id/searches/:searchid': removeJudgedSearch,
  'POST /staff/search/judgment-sets/:id/ratings': rateResults,
  'GET /staff/search/judgment-sets/:id/export': exportJudgments,
  'POST /staff/search/judgment-sets/:id/import': importJudgments,
  'GET /staff/search/judgment-sets/:id/runs': listJudgmentRuns,
  'POST /staff/search/judgment-sets/:id/runs': runJudgments,
  'GET /staff/search/judgment-sets/:id/runs/:runid': showJudgmentRun,
};

/** Endpoints for other services and the operator's tools; the gateway does not route them. */
export const internalRoutes: InternalRoutes<'search', Context> = {
  'POST /internal/members/export': exportOf,
  'POST /internal/members/erase': erase,
  'POST /internal/matches/count': countOfMatches,
  'POST /internal/operations/status': answerStatus,
  'POST /internal/operations/dead-letters': answerDeadLetters,
  'POST /internal/operations/dead-letters/settle': answerSettling,
};
