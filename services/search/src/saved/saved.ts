import type { SearchesContext } from '../searches/searches.ts';
import type { AppearanceStore } from './appearance-store.ts';
import type { FeedStore } from './feed-store.ts';
import type { JudgmentStore } from './judgment-store.ts';
import type { MatchCriteriaStore } from './match-criteria-store.ts';
import type { MatchStore } from './match-store.ts';
import type { RunStore } from './run-store.ts';
import type { SavedSearchStore } from './saved-search-store.ts';
import type { StandingStore } from './standing-store.ts';

/** The dependencies of what is stored about members. */
export interface SavedContext extends SearchesContext {
  readonly saved: {
    readonly searches: SavedSearchStore;
    readonly matchCriteria: MatchCriteriaStore;
    readonly matches: MatchStore;
    readonly appearances: AppearanceStore;
    readonly feeds: FeedStore;
    readonly standings: StandingStore;
    readonly judgments: JudgmentStore;
    readonly judgmentRuns: RunStore;
  };
}
