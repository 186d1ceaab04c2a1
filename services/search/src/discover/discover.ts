import type { SavedContext } from '../saved/saved.ts';
import type { FeedStore } from './feed-store.ts';
import type { MatchingResultStore } from './matching-result-store.ts';
import type { ProfileSnapshotStore } from './profile-snapshot-store.ts';
import type { TasteStore } from './taste-store.ts';

/** The dependencies of the feed. */
export interface DiscoverContext extends SavedContext {
  readonly discover: {
    readonly feeds: FeedStore;
    readonly matchingResults: MatchingResultStore;
    readonly snapshots: ProfileSnapshotStore;
    readonly tastes: TasteStore;
  };
}
