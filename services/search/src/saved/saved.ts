import type { SearchesContext } from '../searches/searches.ts';
import type { MatchCriteriaStore } from './match-criteria-store.ts';
import type { SavedSearchStore } from './saved-search-store.ts';

/** The dependencies of saved searches and match criteria. */
export interface SavedContext extends SearchesContext {
  readonly saved: { readonly searches: SavedSearchStore; readonly matchCriteria: MatchCriteriaStore };
}
